package main

import (
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// pieces says which of the chapter's exercises the reader has written.
type pieces struct {
	machine bool // 02.1: resume.Client
	list    bool // 02.2: paging.List
	delays  bool // 02.3: backoff.Backoff
}

// each is what the pieces are called, and which exercise each is.
func (p *pieces) each() []stub.Piece {
	return []stub.Piece{
		{Name: "state machine", Slug: "1-resume", Yours: &p.machine},
		{Name: "list", Slug: "2-paging", Yours: &p.list},
		{Name: "delays", Slug: "3-backoff", Yours: &p.delays},
	}
}

// written looks at the exercises' files.
func written() (p pieces, err error) {
	root, err := repo.Root()
	if err != nil {
		return p, err
	}
	err = stub.Look(root, "02-list-then-watch", p.each()...)
	return p, err
}

func (p pieces) none() bool { return p == pieces{} }

// String says whose the pieces are.
func (p pieces) String() string { return stub.Whose(p.each()...) }
