package main

import (
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// pieces says which of the chapter's exercises the reader has written.
type pieces struct {
	expectations bool // 14.1: expectations.Expectations
	names        bool // 14.2: names.Next and Create
	claim        bool // 14.3: claim.Claim
}

// each is what the pieces are called, and which exercise each is.
func (p *pieces) each() []stub.Piece {
	return []stub.Piece{
		{Name: "expectations", Slug: "1-expectations", Yours: &p.expectations},
		{Name: "names", Slug: "2-names", Yours: &p.names},
		{Name: "claim", Slug: "3-claim", Yours: &p.claim},
	}
}

// written looks at the exercises' files.
func written() (p pieces, err error) {
	root, err := repo.Root()
	if err != nil {
		return p, err
	}
	err = stub.Look(root, "14-owned-objects", p.each()...)
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
