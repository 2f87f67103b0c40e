package main

import (
	"slices"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/bodies"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// pieces says which of the exercises that can be a piece here the reader has written.
type pieces struct {
	store      bool // 04.1: index.Store
	policy     bool // 05.1: policy.Decide
	versions   bool // 05.2: versions.Versions
	initial    bool // 05.3: initial.Read
	tombstones bool // 06.1: gone.Tombstones
	buffer     bool // 07.1: buffer.Pump
	sets       bool // 08.1: twosets.Queue
	delays     bool // 08.2: delays.Delays
	backoff    bool // 08.3: backoff.Backoff
	handler    bool // 09.1: handlers.New
	reconcile  bool // 09.2: reconcile.Reconcile
	worker     bool // 09.3: worker.Work
	early      bool // 08.1 is begun, and is not at its stage 3 yet: workers would not wait for work
}

// piece is an exercise at work.
type piece struct {
	stub.Piece
	chapter string // its folder
	what    string // the reader has written, and where it stands
}

// each is in the order in which a change passes.
func (p *pieces) each() []piece {
	return []piece{
		{stub.Piece{Name: "policy", Slug: "1-policy", Yours: &p.policy}, "05-reflector",
			"Your Decide says what follows when a list or a watch has failed."},
		{stub.Piece{Name: "versions", Slug: "2-versions", Yours: &p.versions}, "05-reflector",
			"Your Versions say at which version a list or a watch begins."},
		{stub.Piece{Name: "initial", Slug: "3-initial", Yours: &p.initial}, "05-reflector",
			"Your Read takes in the initial events."},
		{stub.Piece{Name: "tombstones", Slug: "1-gone", Yours: &p.tombstones}, "06-delta-fifo",
			"Your Tombstones say what a new list has to delete."},
		{stub.Piece{Name: "store", Slug: "1-index", Yours: &p.store}, "04-store",
			"Your Store is what runs read: one for the objects, and one for each index."},
		{stub.Piece{Name: "buffer", Slug: "1-buffer", Yours: &p.buffer}, "07-shared-informer",
			"Your Pump stands between each informer and the handler."},
		{stub.Piece{Name: "handler", Slug: "1-handlers", Yours: &p.handler}, "09-controller",
			"Your handler names the places that a change concerns."},
		{stub.Piece{Name: "sets", Slug: "1-two-sets", Yours: &p.sets}, "08-workqueue",
			"Your Queue has the places, each once."},
		{stub.Piece{Name: "delays", Slug: "2-delays", Yours: &p.delays}, "08-workqueue",
			"Your Delays keep what is added later."},
		{stub.Piece{Name: "backoff", Slug: "3-backoff", Yours: &p.backoff}, "08-workqueue",
			"Your Backoff says how long a place waits that failed."},
		{stub.Piece{Name: "worker", Slug: "3-worker", Yours: &p.worker}, "09-controller",
			"Your Work waits for the caches, and has two workers."},
		{stub.Piece{Name: "reconcile", Slug: "2-reconcile", Yours: &p.reconcile}, "09-controller",
			"Your Reconcile makes a place right."},
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
	waits, err := bodies.Written(root, "08-workqueue", "1-two-sets", "Queue.ShutDown")
	p.early = p.sets && !waits
	p.sets = p.sets && waits
	return p, err
}

func (p pieces) none() bool { return len(p.numbers(true)) == 0 }

// standsIn says for which piece that is begun the book's stands in.
func (p pieces) standsIn() string {
	if !p.early {
		return ""
	}
	return "08.1: The workers here wait for places, and your Queue lets them do so from its stage 3 on. Until then the " +
		"book's stands in."
}

// String says whose the pieces are: there are too many for a line with their names.
func (p pieces) String() string {
	yours, books := p.numbers(true), p.numbers(false)
	switch {
	case len(books) == 0:
		return "all pieces are yours"
	case len(yours) == 0:
		return "all pieces are the book's"
	case len(books) < len(yours):
		return "all pieces are yours but " + strings.Join(books, ", ")
	default:
		return "yours: " + strings.Join(yours, ", ") + "; the book's: the rest"
	}
}

// numbers are those of what the reader has written, or has not, in the order of the chapters.
func (p pieces) numbers(yours bool) (all []string) {
	for _, one := range p.each() {
		if *one.Yours == yours {
			all = append(all, one.exercise())
		}
	}
	slices.Sort(all)
	return all
}

// graders are those of what the reader has written.
func (p pieces) graders() string {
	all := p.numbers(true)
	text := "make grade EX=" + all[0] + " says more."
	if rest := all[1:]; len(rest) > 0 {
		text = "make grade EX=" + all[0] + " says more, or that of " + strings.Join(rest, ", ") +
			": any of your pieces may be at fault."
	}
	return text
}
