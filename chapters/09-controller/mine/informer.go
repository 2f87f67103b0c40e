package main

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	gone "github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/exercises/1-gone"
	buffer "github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/exercises/1-buffer"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
)

// inInformer says whether a piece of the reader's is part of an informer.
func (p pieces) inInformer() bool {
	return p.store || p.policy || p.versions || p.initial || p.tombstones || p.buffer
}

// informer makes chapter 07's on the reader's pieces. It takes the book's for what is nil.
func (p pieces) informer(source cache.ListerWatcher, example runtime.Object,
	indexers cache.Indexers) cache.SharedIndexInformer {
	var parts informer.Parts
	if p.store {
		parts.Store = newStore
	}
	if p.policy || p.versions || p.initial {
		parts.Reflector = p.reflector
	}
	if p.tombstones {
		parts.Gone = gone.Tombstones
	}
	if p.buffer {
		parts.Buffer = buffer.Pump[informer.Notification]
	}
	return informer.New(source, example, informer.Options{Indexers: indexers, Parts: parts})
}
