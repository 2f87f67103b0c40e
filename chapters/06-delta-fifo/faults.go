package main

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/fifo"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// lostDelete is -fault lost-delete: a handler is given a tombstone by client-go's informer.
func lostDelete(ctx context.Context, l *lab.Lab) (err error) {
	w, err := scenario.NewWriter(ctx, l, "menu")
	if err != nil {
		return err
	}
	const update = 2 // the first event is that of the streaming list
	other := *w      // writes while w does
	over, end, err := scenario.Expiring(l, update, func() { other.Delete("menu") })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	told := make(chan any, 10)
	_, informer := cache.NewInformerWithOptions(cache.InformerOptions{
		ListerWatcher: scenario.Source(over, l.Namespace), ObjectType: &corev1.ConfigMap{},
		Handler: cache.ResourceEventHandlerFuncs{
			AddFunc:    func(object any) { told <- object },
			DeleteFunc: func(object any) { told <- object },
		},
	})
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); informer.RunWithContext(ctx) }()
	defer func() { cancel(); <-done }()

	menu, err := next(ctx, told)
	if err != nil {
		return err
	}
	l.Became("OnAdd(%s)", scenario.Version(menu))
	w.Update("menu")
	object, err := next(ctx, told)
	if err := errors.Join(err, w.Err, other.Err); err != nil {
		return err
	}
	l.Became("OnDelete(%T)", object)
	l.Sent("menu := object.(*v1.ConfigMap)")
	l.Wire("%s", outcome(func() { _ = object.(*corev1.ConfigMap) }))
	l.Sent("key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object)")
	key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object)
	if err != nil {
		return err
	}
	l.Wire("%s", key)
	l.Sent("object.(cache.DeletedFinalStateUnknown).Obj")
	tombstone, buried := object.(cache.DeletedFinalStateUnknown)
	if !buried {
		return fmt.Errorf("%T is no tombstone", object)
	}
	l.Wire("%s, as the informer knew it; data: %v", scenario.Version(tombstone.Obj),
		tombstone.Obj.(*corev1.ConfigMap).Data)
	l.Conclude("The tombstone has the key, and the last state that came here. " +
		"The server deleted a later one: the update was lost as well.")
	return nil
}

// next is what a handler is told next.
func next(ctx context.Context, told <-chan any) (object any, err error) {
	select {
	case object = <-told:
		return object, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// outcome is how a call ended, as text.
func outcome(call func()) (how string) {
	defer func() {
		if p := recover(); p != nil {
			how = fmt.Sprintf("panic: %v", p)
		}
	}()
	call()
	return "no panic"
}

// failedProcess is -fault failed-process: what becomes of a delta that could not be processed.
func failedProcess(ctx context.Context, l *lab.Lab) error {
	t, err := beginAfterList(ctx, l, "hours", "menu")
	if err != nil {
		return err
	}
	defer t.stop()
	t.Update("menu")
	t.Update("hours")
	if t.Err != nil {
		return t.Err
	}
	for _, s := range []*scenario.Side{t.delta, t.real} {
		l.Sent("%s: Pop, with a function that fails", s.Name)
		_, err := s.Queue.Pop(func(any, bool) error { return errors.New("the disk is full") })
		l.Wire("error: %v", err)
		l.Sent("%s: Pop, with one that works, until nothing comes any more", s.Name)
		lines, err := s.Drain(s.Process)
		if err != nil {
			return err
		}
		for _, line := range lines {
			l.Wire("%s", line)
		}
		l.Became("%s's consumer has %s", s.Name, s.Versions())
	}
	l.Conclude("Neither queue puts back what could not be processed. " +
		"The consumer has an old menu until the next event of menu, or the next list.")
	return nil
}

// twoConsumers is -fault two-consumers: an old version is stored over a new one.
func twoConsumers(ctx context.Context, l *lab.Lab) error {
	t, err := beginAfterList(ctx, l, "menu")
	if err != nil {
		return err
	}
	defer t.stop()
	t.Update("menu")
	t.Update("menu")
	if t.Err != nil {
		return t.Err
	}
	real := t.real
	popped, goOn, done := make(chan any), make(chan struct{}), make(chan error, 1)
	go func() {
		_, err := real.Queue.Pop(func(d any, isInInitialList bool) error {
			popped <- d
			<-goOn
			return real.Process(d, isInInitialList)
		})
		done <- err
	}()
	l.Wire("the first consumer of RealFIFO has %s", real.Say((<-popped).(cache.Deltas)))
	second, err := real.Queue.Pop(real.Process)
	if err != nil {
		close(goOn)
		return err
	}
	l.Wire("the second consumer has %s", real.Say(second.(cache.Deltas)))
	l.Became("the store has %s", real.Versions())
	close(goOn)
	if err := <-done; err != nil {
		return err
	}
	l.Became("the store has %s", real.Versions())
	l.Conclude("The first was slow, and has put an old version over a newer one. " +
		"RealFIFO gives its lock back while it processes, and so it can have one consumer.")
	return nil
}

// noKnownObjects is -fault no-known-objects: a deletion that nobody finds.
func noKnownObjects(ctx context.Context, l *lab.Lab) error {
	delta, real := scenario.NewDelta(fifo.Parts{}), scenario.NewReal(fifo.Parts{})
	delta.Queue = fifo.NewDeltaFIFO(fifo.DeltaFIFOOptions{EmitDeltaTypeReplaced: true})
	if err := missDeletion(ctx, l, delta, real); err != nil {
		return err
	}
	if err := show(l, delta, real); err != nil {
		return err
	}
	for _, s := range []*scenario.Side{delta, real} {
		l.Became("%s's consumer has %s", s.Name, s.Versions())
	}
	l.Conclude("To this DeltaFIFO, menu was processed long ago, and the list does not have it: there is nothing to tell. " +
		"It would have dropped the event of the deletion as well. Its consumer keeps menu for ever. " +
		"RealFIFO's consumer has compared the list with its store.")
	return nil
}
