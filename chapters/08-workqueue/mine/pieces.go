package main

import (
	"strings"

	buffer "github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/exercises/1-buffer"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/bodies"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// pieces says which of the exercises that can be a piece here the reader has written.
type pieces struct {
	buffer  bool // 07.1: buffer.Pump
	sets    bool // 08.1: twosets.Queue
	delays  bool // 08.2: delays.Delays
	backoff bool // 08.3: backoff.Backoff
	climbed      // how much of 08.1
}

// climbed says which later stages of 08.1 are written. Stages 1 and 2 look alike from here.
type climbed struct {
	waits  bool // 3: Get waits, and ShutDown ends that
	drains bool // 4: ShutDownWithDrain
}

// piece is an exercise at work.
type piece struct {
	stub.Piece
	chapter string // its folder
	what    string // the reader has written, and where it stands
}

// each is in the order in which a key passes.
func (p *pieces) each() []piece {
	return []piece{
		{stub.Piece{Name: "07.1", Slug: "1-buffer", Yours: &p.buffer}, "07-shared-informer",
			"Your Pump stands between the informer and the handler that adds the keys."},
		{stub.Piece{Name: "08.1", Slug: "1-two-sets", Yours: &p.sets}, "08-workqueue",
			"Your Queue is the one that the workers get their keys from." + p.missing()},
		{stub.Piece{Name: "08.2", Slug: "2-delays", Yours: &p.delays}, "08-workqueue",
			"Your Delays keep what is added later, and add it to that queue."},
		{stub.Piece{Name: "08.3", Slug: "3-backoff", Yours: &p.backoff}, "08-workqueue",
			"Your Backoff says how long a key waits that failed."},
	}
}

// missing says what the book does for a Queue that is not at its last stage.
func (c climbed) missing() string {
	switch {
	case !c.waits:
		return " It waits from stage 3 on. Until then the book has a lock around it, and waits."
	case !c.drains:
		return " It drains from stage 4 on. Until then it is shut down, and the workers are waited for."
	}
	return ""
}

// exercise is the number of one: 08.1.
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
	for function, written := range map[string]*bool{"Queue.ShutDown": &p.waits, "Queue.ShutDownWithDrain": &p.drains} {
		if *written, err = bodies.Written(root, "08-workqueue", "1-two-sets", function); err != nil {
			return p, err
		}
	}
	return p, nil
}

func (p pieces) none() bool { return !p.buffer && !p.sets && !p.delays && !p.backoff }

// String says whose the pieces are.
func (p pieces) String() string {
	var all []stub.Piece
	for _, one := range p.each() {
		all = append(all, one.Piece)
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

// parts are the reader's of the informer, which takes the book's for what is nil.
func (p pieces) parts() (parts informer.Parts) {
	if p.buffer {
		parts.Buffer = buffer.Pump[informer.Notification]
	}
	return parts
}
