package main

import (
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// pieces says which of the chapter's exercises the reader has written.
type pieces struct {
	handler bool // 13.1: mapping.New
	index   bool // 13.2: index.Secrets, Register and Users
	source  bool // 13.3: channel.Source
}

// each is what the pieces are called, and which exercise each is.
func (p *pieces) each() []stub.Piece {
	return []stub.Piece{
		{Name: "handler", Slug: "1-map", Yours: &p.handler},
		{Name: "index", Slug: "2-index", Yours: &p.index},
		{Name: "Source", Slug: "3-channel", Yours: &p.source},
	}
}

// written looks at the exercises' files.
func written() (p pieces, err error) {
	root, err := repo.Root()
	if err != nil {
		return p, err
	}
	err = stub.Look(root, "13-watches-and-indexes", p.each()...)
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
