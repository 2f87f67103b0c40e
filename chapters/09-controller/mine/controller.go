package main

import (
	"context"
	"errors"

	"k8s.io/client-go/tools/cache"

	handlers "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/exercises/1-handlers"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/exercises/2-reconcile"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/exercises/3-worker"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
)

// parts are those of the controller: the reader's, and the book's for the rest.
func (p pieces) parts() mirror.Parts {
	parts := mirror.Book()
	if p.inInformer() {
		parts.Informer = p.informer
	}
	if p.inQueue() {
		parts.Queue = p.queue
	}
	if p.handler {
		parts.Handler = func(r mirror.Relations, add func(mirror.Key)) cache.ResourceEventHandler {
			return handlers.New(r, add)
		}
	}
	if p.reconcile {
		parts.Reconcile = func(ctx context.Context, place mirror.Key, r mirror.Reader, w mirror.Writer) error {
			return reconcile.Reconcile(ctx, place, r, w)
		}
	}
	if p.worker {
		parts.Work = func(ctx context.Context, w mirror.Work) error {
			return worker.Work{Workers: w.Workers, Queue: w.Queue, Synced: w.Synced, Reconcile: w.Reconcile,
				Report: func(place mirror.Key, err error) {
					if !errors.As(err, new(*mirror.StaleError)) { // of which the exercise knows nothing
						w.Report(place, err)
					}
				}}.Run(ctx)
		}
	}
	return parts
}
