package main

import (
	"strings"

	gone "github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/exercises/1-gone"
	buffer "github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/exercises/1-buffer"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// pieces says which of the exercises that can be a piece of an informer the reader has written.
type pieces struct {
	store      bool // 04.1: index.Store
	tombstones bool // 06.1: gone.Tombstones
	batches    bool // 06.3: batches.Queue
	buffer     bool // 07.1: buffer.Pump
	lives      bool // 07.3: recreated.New. It is a handler, and the book has none such.
}

// piece is an exercise at work.
type piece struct {
	stub.Piece
	chapter string // its folder
	what    string // the reader has written, and where it stands
}

// each is in the order in which an object passes.
func (p *pieces) each() []piece {
	return []piece{
		{stub.Piece{Name: "queue", Slug: "3-batches", Yours: &p.batches}, "06-delta-fifo",
			"Your Queue is what the Reflector fills, in batches of 100. It knows of no transformer, and needs none " +
				"here."},
		{stub.Piece{Name: "tombstones", Slug: "1-gone", Yours: &p.tombstones}, "06-delta-fifo",
			"Your Tombstones say what a new list has to delete."},
		{stub.Piece{Name: "store", Slug: "1-index", Yours: &p.store}, "04-store",
			"Your Store has the objects, and namespaces as its one index. It knows of no transactions, so the " +
				"changes of a batch are made one by one; and of no resourceVersion, which the book remembers " +
				"beside it."},
		{stub.Piece{Name: "buffers", Slug: "1-buffer", Yours: &p.buffer}, "07-shared-informer",
			"Your Pump stands before each handler: what waits, waits there."},
		{stub.Piece{Name: "lives", Slug: "3-recreated", Yours: &p.lives}, "07-shared-informer",
			"Your handler of lives is a third one."},
	}
}

// exercise is the number of one: 04.1.
func (p piece) exercise() string { return p.chapter[:2] + "." + p.Slug[:1] }

// written looks at the exercises' files.
func written() (p pieces, err error) {
	root, err := repo.Root()
	if err != nil {
		return p, err
	}
	for _, one := range p.each() {
		if err := stub.Look(root, one.chapter, one.Piece); err != nil {
			return p, err
		}
	}
	return p, nil
}

func (p pieces) none() bool { return p == pieces{} }

// String says whose the pieces are. Where nobody has written lives, there are none.
func (p pieces) String() string {
	var all []stub.Piece
	for _, one := range p.each() {
		if one.Name != "lives" || *one.Yours {
			all = append(all, one.Piece)
		}
	}
	return stub.Whose(all...)
}

// graders are those of what the reader has written.
func (p pieces) graders() string {
	var all []string
	for _, one := range p.each() {
		if *one.Yours {
			all = append(all, one.exercise())
		}
	}
	text := "make grade EX=" + all[0] + " says more."
	if rest := all[1:]; len(rest) > 0 {
		text = "make grade EX=" + all[0] + " says more, or that of " + strings.Join(rest, ", ") +
			": any of your pieces may be at fault."
	}
	return text
}

// parts are the reader's. The informer takes the book's for what is nil.
func (p pieces) parts() (parts informer.Parts) {
	if p.store {
		parts.Store = newStore
	}
	if p.batches {
		parts.Queue = newQueue
	}
	if p.tombstones {
		parts.Gone = gone.Tombstones
	}
	if p.buffer {
		parts.Buffer = buffer.Pump[informer.Notification]
	}
	return parts
}
