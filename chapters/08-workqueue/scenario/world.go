package scenario

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
)

// World is an informer of the run's ConfigMaps.
type World struct {
	// Informer is chapter 07's.
	Informer *informer.SharedIndexInformer

	cancel context.CancelFunc
	done   chan struct{} // closed when the informer has returned
}

// NewWorld makes an informer over a client. It does not run yet.
func NewWorld(over kubernetes.Interface, namespace string) *World {
	return &World{Informer: informer.New(Source(over, namespace), &corev1.ConfigMap{}, informer.Options{}),
		cancel: func() {}, done: make(chan struct{})}
}

// Tell has a function be called with each object that changes, also with those of the initial list.
func (w *World) Tell(changed func(object any, isInInitialList bool)) error {
	_, err := w.Informer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    changed,
		UpdateFunc: func(_, object any) { changed(object, false) },
		DeleteFunc: func(object any) { changed(object, false) },
	})
	return err
}

// Run runs the informer until Stop is called, also when ctx ends before, and returns when it has synced.
func (w *World) Run(ctx context.Context) error {
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	w.cancel = cancel
	go func() { defer close(w.done); w.Informer.RunWithContext(running) }()
	if err := Until(ctx, w.Informer.HasSynced); err != nil {
		w.Stop()
		return err
	}
	return nil
}

// Stop ends the informer, which runs.
func (w *World) Stop() {
	w.cancel()
	<-w.done
}

// Version is that of an object in the store, or "-".
func (w *World) Version(namespace, name string) string {
	object, exists, err := w.Informer.GetStore().GetByKey(cache.NewObjectName(namespace, name).String())
	if err != nil || !exists {
		return "-"
	}
	return object.(*corev1.ConfigMap).ResourceVersion
}
