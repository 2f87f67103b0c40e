package main

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	upstream "sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue/priorityqueue"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// fresh is created while the initial list waits.
const fresh = "pies"

// urgent is step 6: something happens while a worker is busy with what there was at the beginning.
func urgent(ctx context.Context, l *lab.Lab) error {
	writer, err := begin(ctx, l)
	if err != nil {
		return err
	}
	quiet, err := scenario.Quiet(l)
	if err != nil {
		return err
	}
	world := scenario.NewWorld(quiet, l.Namespace)
	crews := []*scenario.Crew{
		scenario.NewCrew(newQueue(), world.Informer.GetStore()),
		newPrioritized(world, handler.LowPriority),
	}
	var orders [2]order
	for i, crew := range crews {
		defer crew.Wait()
		defer crew.Queue.ShutDown()
		if err := world.Tell(crew.Enqueue); err != nil {
			return err
		}
		crew.Process = orders[i].note
		crew.Hold()
		defer crew.Release()
	}
	if err := world.Run(ctx); err != nil {
		return err
	}
	defer world.Stop()
	for _, crew := range crews {
		crew.Start(1)
		busy := func() bool { return added(crew) == len(objects) && crew.Inside() == 1 }
		if err := scenario.Until(ctx, busy); err != nil {
			return err
		}
	}
	l.Became("the initial list is in two queues, and each has one worker, which has its first key")
	if err := writer.CreateAloud(ctx, fresh); err != nil {
		return err
	}
	for i, crew := range crews {
		if err := scenario.Until(ctx, func() bool { return added(crew) == len(objects)+1 }); err != nil {
			return err
		}
		crew.Release()
		if err := scenario.Until(ctx, func() bool { return crew.Inside()+crew.Queue.Len() == 0 }); err != nil {
			return err
		}
		crew.Queue.ShutDown()
		crew.Wait()
		l.Wire("%-16s %s", []string{"queue:", "priority queue:"}[i], strings.Join(orders[i].names, " "))
	}
	l.Conclude("A dot is a key of the initial list. In the first queue, %s joins the line behind all of them. In the "+
		"second they have priority -100 and %s has 0, so it is the next one.", fresh, fresh)
	return nil
}

// newPrioritized makes a crew on a queue with priorities, to which the handler adds the initial list with that one.
func newPrioritized(world *scenario.World, priority int) *scenario.Crew {
	queue := priorityqueue.New(priorityqueue.Options[scenario.Key]{})
	crew := scenario.NewCrew(queue, world.Informer.GetStore())
	crew.Add = func(key scenario.Key, isInInitialList bool) {
		var o upstream.AddOpts
		if isInInitialList {
			o.Priority = ptr.To(priority)
		}
		queue.AddWithOpts(o, key)
	}
	return crew
}

// order is what one worker processes.
type order struct{ names []string }

func (o *order) note(key scenario.Key, _ *corev1.ConfigMap) error {
	if key.Name == fresh {
		o.names = append(o.names, key.Name)
	} else {
		o.names = append(o.names, "·") // in which order they were listed is nobody's promise
	}
	return nil
}

// added is how often the handler has added a key.
func added(crew *scenario.Crew) int {
	adds, _ := crew.Total()
	return adds
}
