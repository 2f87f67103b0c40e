package main

import (
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
)

// pieces says which of the chapter's exercises the reader has written.
type pieces struct {
	machine bool // 02.1: resume.Client
	list    bool // 02.2: paging.List
	delays  bool // 02.3: backoff.Backoff
}

// written looks at the exercises' files.
func written() (p pieces, err error) {
	root, err := controlplane.Root()
	if err != nil {
		return p, err
	}
	for slug, piece := range map[string]*bool{"1-resume": &p.machine, "2-paging": &p.list, "3-backoff": &p.delays} {
		if *piece, err = stub.Written(root, "02-list-then-watch", slug); err != nil {
			return p, err
		}
	}
	return p, nil
}

func (p pieces) none() bool { return p == pieces{} }

// String says whose the pieces are.
func (p pieces) String() string {
	var yours, ours []string
	for _, piece := range []struct {
		name  string
		yours bool
	}{{"state machine", p.machine}, {"list", p.list}, {"delays", p.delays}} {
		if piece.yours {
			yours = append(yours, piece.name)
		} else {
			ours = append(ours, piece.name)
		}
	}
	text := "yours: " + strings.Join(yours, ", ")
	if len(ours) > 0 {
		text += "; the book's: " + strings.Join(ours, ", ")
	}
	return text
}
