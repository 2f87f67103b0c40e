package main

import (
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
)

// pieces says which of the chapter's exercises the reader has written.
type pieces struct {
	store    bool // 04.1: index.Store
	sets     bool // 04.2: sets.Index
	detector bool // 04.3: mutation.Detector
}

// written looks at the exercises' files.
func written() (p pieces, err error) {
	root, err := controlplane.Root()
	if err != nil {
		return p, err
	}
	for slug, piece := range map[string]*bool{"1-index": &p.store, "2-sets": &p.sets, "3-mutation": &p.detector} {
		if *piece, err = stub.Written(root, "04-store", slug); err != nil {
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
	}{{"store", p.store}, {"index of sets", p.sets}, {"detector", p.detector}} {
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
