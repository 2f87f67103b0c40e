package main

import (
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// pieces says which of the chapter's exercises the reader has written.
type pieces struct {
	result    bool // 11.1: result.Reconciler
	predicate bool // 11.2: predicates.New
	notes     bool // 11.3: two.Add
}

// each is what the pieces are called, and which exercise each is.
func (p *pieces) each() []stub.Piece {
	return []stub.Piece{
		{Name: "Reconcile", Slug: "1-result", Yours: &p.result},
		{Name: "predicate", Slug: "2-predicates", Yours: &p.predicate},
		{Name: "two controllers", Slug: "3-two-controllers", Yours: &p.notes},
	}
}

// written looks at the exercises' files.
func written() (p pieces, err error) {
	root, err := repo.Root()
	if err != nil {
		return p, err
	}
	err = stub.Look(root, "11-manager", p.each()...)
	return p, err
}

func (p pieces) none() bool { return p == pieces{} }

// String says which are there: nothing stands in for the others.
func (p pieces) String() string {
	var there, absent []string
	for _, one := range p.each() {
		if *one.Yours {
			there = append(there, one.Name)
		} else {
			absent = append(absent, one.Name)
		}
	}
	text := "yours: " + strings.Join(there, ", ")
	if len(absent) > 0 {
		text += "; not written yet: " + strings.Join(absent, ", ")
	}
	return text
}
