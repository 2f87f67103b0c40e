package main

import (
	"context"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// pause is how long the slow handler takes for a call, so that a reader's hands can fill its buffer.
const pause = 3 * time.Second

// follow is -interactive: two handlers follow what the reader does, until Ctrl-C.
func follow(ctx context.Context, l *lab.Lab) error {
	l.Say("Two handlers follow the ConfigMaps of %s: fast, and slow, which takes %s for each call. In another "+
		"terminal, in this folder:", l.Namespace, pause)
	kc := l.Alias()
	l.Command("%s create cm fig", kc)
	l.Command("for i in 1 2 3; do %s annotate cm fig ripe=$i --overwrite; done", kc)
	l.Command("%s delete cm fig", kc)
	direct, err := scenario.Direct(l)
	if err != nil {
		return err
	}
	fast, slow := scenario.NewHandler("fast"), scenario.NewHandler("slow")
	world, err := join(direct, l, fast, slow)
	if err != nil {
		return err
	}
	fast.Called = func(call string, old, object any) { l.Wire("fast  %s", inWords(call, old, object)) }
	slow.Called = func(call string, old, object any) {
		l.Wire("slow  %s, and %d more are waiting", inWords(call, old, object), slow.Registration.Waiting())
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
	world.Run(ctx)
	<-ctx.Done() // nothing but the reader ends it
	world.Stop()
	return nil
}
