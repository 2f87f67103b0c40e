package main

import (
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// pieces says which of the chapter's exercises the reader has written.
type pieces struct {
	report bool // 12.1: status.Reporter
	apply  bool // 12.2: apply.Apply
	save   bool // 12.3: both.Save
}

// each is what the pieces are called, and which exercise each is.
func (p *pieces) each() []stub.Piece {
	return []stub.Piece{
		{Name: "Report", Slug: "1-status", Yours: &p.report},
		{Name: "Apply", Slug: "2-apply", Yours: &p.apply},
		{Name: "Save", Slug: "3-both", Yours: &p.save},
	}
}

// written looks at the exercises' files.
func written() (p pieces, err error) {
	root, err := repo.Root()
	if err != nil {
		return p, err
	}
	err = stub.Look(root, "12-writes", p.each()...)
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
