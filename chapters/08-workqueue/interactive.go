package main

import (
	"context"
	"fmt"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// slow is how long a run takes, so that a reader's hands can change what a worker has.
const slow = 2 * time.Second

// follow is -interactive: workers process what the reader changes, until Ctrl-C.
func follow(ctx context.Context, l *lab.Lab) error {
	l.Say("%d workers process the ConfigMaps of %s, and take %s for each run. A ConfigMap with failures in its data "+
		"fails so often. In another terminal, in this folder:", workers, l.Namespace, slow)
	kc := l.Alias()
	l.Command("%s create cm fig", kc)
	l.Command("for i in 1 2 3 4 5; do %s annotate cm fig ripe=$i --overwrite; done", kc)
	l.Command(`%s patch cm fig -p '{"data":{"failures":"12"}}'`, kc)
	l.Command("%s delete cm fig", kc)
	world, crew, err := watch(ctx, l, newQueue)
	if err != nil {
		return err
	}
	crew.Pause = slow
	crew.Ended = func(key scenario.Key, run scenario.Run) {
		took := run.Ended.Sub(run.Began).Round(time.Millisecond)
		runs := crew.Runs(key.Name)
		counted := fmt.Sprintf("adds %d, runs %d", crew.Adds(key.Name), len(runs))
		switch {
		case run.Version == "":
			l.Wire("%s is not there: done after %s; %s", key.Name, took, counted)
		case run.Err == nil:
			l.Wire("%s at version %s: done after %s; %s", key.Name, run.Version, took, counted)
		default:
			l.Wire("%s at version %s: failed after %s%s; failures before: %d", key.Name, run.Version, took,
				waited(runs), crew.Queue.NumRequeues(key))
		}
	}
	crew.Start(workers)
	<-ctx.Done() // nothing but the reader ends it
	crew.Queue.ShutDown()
	world.Stop()
	crew.Wait()
	return nil
}

// waited says how long a key that had failed waited for its last run.
func waited(runs []scenario.Run) string {
	n := len(runs)
	if n < 2 || runs[n-2].Err == nil {
		return ""
	}
	return fmt.Sprintf(", having waited %s", runs[n-1].Began.Sub(runs[n-2].Ended).Round(time.Millisecond))
}
