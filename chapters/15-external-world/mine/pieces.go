package main

import (
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// pieces says which of the chapter's exercises the reader has written.
type pieces struct {
	statemap   bool // 15.1: statemap.Map
	operations bool // 15.2: operations.Operations
	starts     bool // 15.3: starts.Starts
}

// each is what the pieces are called, and which exercise each is.
func (p *pieces) each() []stub.Piece {
	return []stub.Piece{
		{Name: "state map", Slug: "1-statemap", Yours: &p.statemap},
		{Name: "operations", Slug: "2-operations", Yours: &p.operations},
		{Name: "starts", Slug: "3-starts", Yours: &p.starts},
	}
}

// written looks at the exercises' files.
func written() (p pieces, err error) {
	root, err := repo.Root()
	if err != nil {
		return p, err
	}
	err = stub.Look(root, "15-external-world", p.each()...)
	return p, err
}

func (p pieces) none() bool { return p == pieces{} }

// String says whose the pieces are. Each step has the reader's own, and the book's beside it.
func (p pieces) String() string { return stub.Whose(p.each()...) }
