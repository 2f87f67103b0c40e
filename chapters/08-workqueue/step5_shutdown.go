package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// patience is how long somebody waits for what is not to happen.
const patience = 300 * time.Millisecond

// shutDown is step 5: two queues are shut down, each in its way, with work in them.
func shutDown(ctx context.Context, l *lab.Lab) error {
	if _, err := begin(ctx, l); err != nil {
		return err
	}
	for _, way := range []struct {
		name string
		down func(scenario.Queue)
	}{
		{"ShutDown", scenario.Queue.ShutDown},
		{"ShutDownWithDrain", scenario.Queue.ShutDownWithDrain},
	} {
		if err := shutDownBy(ctx, l, way.name, way.down); err != nil {
			return err
		}
	}
	l.Conclude("Both refuse what is new, drop what waits for its time, and hand out what is in the line. ShutDown " +
		"returns at once, and a program that then ends loses the line. ShutDownWithDrain returns when all is done.")
	return nil
}

// shutDownBy shuts down a queue whose workers are busy, and looks when that returns.
func shutDownBy(ctx context.Context, l *lab.Lab, name string, down func(scenario.Queue)) error {
	world, crew, err := watch(ctx, l, newQueue)
	if err != nil {
		return err
	}
	defer world.Stop()
	defer crew.Wait()
	defer crew.Queue.ShutDown()
	crew.Hold()
	defer crew.Release()
	crew.Start(workers)
	err = scenario.Until(ctx, func() bool {
		return crew.Inside() == workers && crew.Queue.Len() == len(objects)-workers
	})
	if err != nil {
		return err
	}
	crew.Queue.AddAfter(key(l, "later"), time.Minute)
	l.Became("with workers: %d; in the line: %d; waiting for its time: %d", crew.Inside(), crew.Queue.Len(), 1)
	l.Sent("%s", name)
	returned := make(chan struct{})
	var downing sync.WaitGroup
	downing.Go(func() { down(crew.Queue); close(returned) })
	defer downing.Wait()
	select {
	case <-returned:
		l.Wire("%s has returned; with workers: %d; in the line: %d", name, crew.Inside(), crew.Queue.Len())
	case <-time.After(patience):
		l.Wire("%s has not returned after %s; with workers: %d; in the line: %d", name, patience, crew.Inside(),
			crew.Queue.Len())
	}
	crew.Release()
	<-returned
	_, ran := crew.Total()
	if name == "ShutDownWithDrain" {
		l.Became("the workers go on")
		l.Wire("%s has returned; with workers: %d; in the line: %d; processed: %d", name, crew.Inside(),
			crew.Queue.Len(), ran)
		return nil
	}
	crew.Wait()
	_, ran = crew.Total()
	l.Became("the program waits for its workers; processed: %s", fmt.Sprint(ran))
	return nil
}
