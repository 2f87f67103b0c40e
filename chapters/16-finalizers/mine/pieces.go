package main

import (
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// pieces says which of the chapter's exercises the reader has written.
type pieces struct {
	finalizer bool // 16.1: finalizer.Protocol
	cleanup   bool // 16.2: cleanup.Cleanup
	hierarchy bool // 16.3: hierarchy.Run
}

// each is what the pieces are called, and which exercise each is.
func (p *pieces) each() []stub.Piece {
	return []stub.Piece{
		{Name: "finalizer", Slug: "1-finalizer", Yours: &p.finalizer},
		{Name: "clean-up", Slug: "2-cleanup", Yours: &p.cleanup},
		{Name: "hierarchy", Slug: "3-hierarchy", Yours: &p.hierarchy},
	}
}

// written looks at the exercises' files.
func written() (p pieces, err error) {
	root, err := repo.Root()
	if err != nil {
		return p, err
	}
	err = stub.Look(root, "16-finalizers", p.each()...)
	return p, err
}

func (p pieces) none() bool { return p == pieces{} }

// String says whose the pieces are. Each step has the reader's own, and the book's beside it.
func (p pieces) String() string { return stub.Whose(p.each()...) }
