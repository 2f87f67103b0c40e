package main

import (
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// pieces says which of the chapter's exercises the reader has written.
type pieces struct {
	window bool // 03.1: history.Window
	loop   bool // 03.2: flush.Serve
	store  bool // 03.3: conflict.Store and conflict.Change
}

// each is what the pieces are called, and which exercise each is.
func (p *pieces) each() []stub.Piece {
	return []stub.Piece{
		{Name: "window", Slug: "1-history", Yours: &p.window},
		{Name: "loop", Slug: "2-flush", Yours: &p.loop},
		{Name: "store", Slug: "3-conflict", Yours: &p.store},
	}
}

// written looks at the exercises' files.
func written() (p pieces, err error) {
	root, err := repo.Root()
	if err != nil {
		return p, err
	}
	err = stub.Look(root, "03-watch-server", p.each()...)
	return p, err
}

func (p pieces) none() bool { return p == pieces{} }

// String says whose the pieces are.
func (p pieces) String() string { return stub.Whose(p.each()...) }
