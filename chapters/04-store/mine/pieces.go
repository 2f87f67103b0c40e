package main

import (
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// pieces says which of the chapter's exercises the reader has written.
type pieces struct {
	store    bool // 04.1: index.Store
	sets     bool // 04.2: sets.Index
	detector bool // 04.3: mutation.Detector
}

// each is what the pieces are called, and which exercise each is.
func (p *pieces) each() []stub.Piece {
	return []stub.Piece{
		{Name: "store", Slug: "1-index", Yours: &p.store},
		{Name: "index of sets", Slug: "2-sets", Yours: &p.sets},
		{Name: "detector", Slug: "3-mutation", Yours: &p.detector},
	}
}

// written looks at the exercises' files.
func written() (p pieces, err error) {
	root, err := repo.Root()
	if err != nil {
		return p, err
	}
	err = stub.Look(root, "04-store", p.each()...)
	return p, err
}

func (p pieces) none() bool { return p == pieces{} }

// String says whose the pieces are.
func (p pieces) String() string { return stub.Whose(p.each()...) }
