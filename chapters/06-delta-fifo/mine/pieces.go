package main

import (
	"errors"

	"k8s.io/client-go/tools/cache"

	gone "github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/exercises/1-gone"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/fifo"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// pieces says which of the chapter's exercises the reader has written.
type pieces struct {
	tombstones bool // 06.1: gone.Tombstones
	deltas     bool // 06.2: dedup.Queue
	batches    bool // 06.3: batches.Queue
}

// each is what the pieces are called, and which exercise each is.
func (p *pieces) each() []stub.Piece {
	return []stub.Piece{
		{Name: "tombstones", Slug: "1-gone", Yours: &p.tombstones},
		{Name: "deltas by key", Slug: "2-dedup", Yours: &p.deltas},
		{Name: "batches", Slug: "3-batches", Yours: &p.batches},
	}
}

// written looks at the exercises' files.
func written() (p pieces, err error) {
	root, err := repo.Root()
	if err != nil {
		return p, err
	}
	err = stub.Look(root, "06-delta-fifo", p.each()...)
	return p, err
}

func (p pieces) none() bool { return p == pieces{} }

// String says whose the pieces are.
func (p pieces) String() string { return stub.Whose(p.each()...) }

// gone finds what a new list says is gone: the reader's Tombstones, or the book's.
func (p pieces) gone() fifo.Gone {
	if p.tombstones {
		return gone.Tombstones
	}
	return booksGone
}

// whose names the one that [pieces.gone] returns.
func (p pieces) whose() string {
	if p.tombstones {
		return "your Tombstones"
	}
	return "the book's RealFIFO"
}

// booksGone asks a RealFIFO, which has the answer inside, what it would queue.
func booksGone(queued []cache.Delta, known cache.KeyListerGetter, list []any, key cache.KeyFunc) (
	tombstones []cache.DeletedFinalStateUnknown, err error) {
	if len(queued) > 0 {
		return nil, errors.New("mine asks the book's queue only about what is known")
	}
	q := fifo.NewRealFIFO(fifo.RealFIFOOptions{KeyFunction: key, KnownObjects: known})
	err = q.Replace(list, "")
	q.Close()
	for popped := error(nil); err == nil && popped == nil; {
		_, popped = q.Pop(func(object any, _ bool) error {
			if tombstone, ok := object.(cache.Deltas).Newest().Object.(cache.DeletedFinalStateUnknown); ok {
				tombstones = append(tombstones, tombstone)
			}
			return nil
		})
	}
	return tombstones, err
}
