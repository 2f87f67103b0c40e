package main

import (
	"context"
	"time"

	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// patience is how long something has not to happen for the demo to say that it does not.
const patience = 300 * time.Millisecond

// leave is step 5: two handlers are removed while they work.
func leave(ctx context.Context, l *lab.Lab) error {
	fast := scenario.NewHandler("fast")
	removed, down := scenario.NewHandler("removed").Stick(), scenario.NewHandler("shut down").Stick()
	world, _, err := begin(ctx, l, []string{"hours", "menu", "prices"}, fast, removed, down)
	if err != nil {
		return err
	}
	if err := start(ctx, world); err != nil {
		return err
	}
	defer world.Stop()
	world.Board(l)
	l.Sent("RemoveEventHandler(removed)")
	if err := world.Informer.RemoveEventHandler(removed.Registration); err != nil {
		return err
	}
	l.Wire("has returned; the handler is in a call: %s", yes(removed.InCall()))
	l.Sent("ShutDownEventHandler(shut down)")
	returned := make(chan error, 1)
	go func() { returned <- cache.ShutDownEventHandler(world.Informer, down.Registration) }()
	select {
	case err := <-returned:
		l.Wire("has returned; the handler is in a call: %s", yes(down.InCall()))
		return err
	case <-time.After(patience):
		l.Wire("has not returned after %s; the handler is in a call: %s", patience, yes(down.InCall()))
	}
	l.Became("both go on, and return from their calls")
	removed.Release()
	down.Release()
	if err := <-returned; err != nil {
		return err
	}
	l.Wire("ShutDownEventHandler has returned; the handler is in a call: %s", yes(down.InCall()))
	<-removed.Registration.ShutdownChan()
	l.Became("of 3 objects, removed was told of %d, and shut down of %d", removed.Calls().Initial, down.Calls().Initial)
	l.Conclude("Here the call that had begun was the last, and what waited was dropped. A handler between two calls may " +
		"be called once more, after its removal. What takes away something that the handler uses has to know when the " +
		"last call is over: RemoveEventHandler does not tell.")
	return nil
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
