package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/client-go/tools/cache"
	upstream "k8s.io/client-go/util/workqueue"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// objects are the ConfigMaps of the demo.
var objects = []string{"cakes", "hours", "menu", "prices", "rules", "soups", "staff", "tables", "teas", "wines"}

// workers is how many there are.
const workers = 4

// tour is what the first four steps share: an informer, a queue and four workers, and one who writes.
type tour struct {
	*scenario.World
	*scenario.Crew
	*scenario.Writer
	limiter *notedLimiter
	updates int // of each object in step 1
}

// part makes a step of what uses the shared queue, which is shut down if the step fails: then there is no next one.
func (t *tour) part(run func(context.Context, *lab.Lab) error) func(context.Context, *lab.Lab) error {
	return func(ctx context.Context, l *lab.Lab) error {
		err := run(ctx, l)
		if err != nil {
			t.end()
		}
		return err
	}
}

// begin makes the objects, an informer, a queue and its workers, and waits until all is processed.
func (t *tour) begin(ctx context.Context, l *lab.Lab) (err error) {
	if t.Writer, err = begin(ctx, l); err != nil {
		return err
	}
	t.limiter = newNotedLimiter()
	t.World, t.Crew, err = watch(ctx, l, func() scenario.Queue { return newLimited(t.limiter) })
	if err != nil {
		return err
	}
	t.Start(workers)
	return t.settle(ctx, l, objects...)
}

// end shuts the queue down and stops the informer.
func (t *tour) end() {
	if t.Crew != nil {
		t.Release()
		t.Queue.ShutDown()
		t.Crew.Wait()
		t.World.Stop()
	}
}

// settle waits until the last version of each of these objects has been processed, and nothing is in the queue.
func (t *tour) settle(ctx context.Context, l *lab.Lab, names ...string) error {
	return scenario.Until(ctx, func() bool {
		if t.Inside() > 0 || t.Queue.Len() > 0 {
			return false
		}
		return !slices.ContainsFunc(names, func(name string) bool {
			written := t.Writer.Version(name)
			return t.World.Version(l.Namespace, name) != written || t.last(name).Version != written
		})
	})
}

// last is the last run of a key.
func (t *tour) last(name string) scenario.Run { return last(t.Crew, name) }

func last(crew *scenario.Crew, name string) scenario.Run {
	if runs := crew.Runs(name); len(runs) > 0 {
		return runs[len(runs)-1]
	}
	return scenario.Run{}
}

// begin makes the objects, and deletes without a word what was there before.
func begin(ctx context.Context, l *lab.Lab) (*scenario.Writer, error) {
	writer, err := scenario.NewWriter(l)
	if err != nil {
		return nil, err
	}
	if err := writer.Clear(ctx); err != nil {
		return nil, err
	}
	return writer, writer.Create(ctx, objects...)
}

// watch makes an informer that runs, whose handler adds to a queue, and workers for it that have not begun.
func watch(ctx context.Context, l *lab.Lab, queue func() scenario.Queue) (*scenario.World, *scenario.Crew, error) {
	quiet, err := scenario.Quiet(l)
	if err != nil {
		return nil, nil, err
	}
	world := scenario.NewWorld(quiet, l.Namespace)
	crew := scenario.NewCrew(queue(), world.Informer.GetStore())
	if err = world.Tell(crew.Enqueue); err == nil {
		err = world.Run(ctx)
	}
	if err != nil {
		crew.Queue.ShutDown()
		return nil, nil, err
	}
	return world, crew, nil
}

// newQueue is this chapter's, with the limiter that most controllers have.
func newQueue() scenario.Queue { return newLimited(workqueue.DefaultLimiter[scenario.Key]()) }

// newLimited is newQueue with another limiter.
func newLimited(limiter upstream.TypedRateLimiter[scenario.Key]) scenario.Queue {
	return workqueue.NewRateLimiting(limiter, upstream.TypedRateLimitingQueueConfig[scenario.Key]{})
}

// key is that of an object of the run.
func key(l *lab.Lab, name string) scenario.Key { return cache.NewObjectName(l.Namespace, name) }

// notedLimiter is a limiter that is asked for one key, and knows what it said.
type notedLimiter struct {
	upstream.TypedRateLimiter[scenario.Key]
	said []time.Duration
}

func newNotedLimiter() *notedLimiter {
	return &notedLimiter{TypedRateLimiter: workqueue.DefaultLimiter[scenario.Key]()}
}

// When asks, and notes.
func (n *notedLimiter) When(k scenario.Key) time.Duration {
	delay := n.TypedRateLimiter.When(k)
	n.said = append(n.said, delay)
	return delay
}

// ms is a time in milliseconds.
func ms(d time.Duration) string {
	return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
}

// barColumns is the room for the longest bar.
const barColumns = 40

// bar draws a time, of which the longest fills the room. It is filled up with blanks, so that a table that is aligned
// to the right leaves it at the left.
func bar(d, longest time.Duration) string {
	eighths := int(d * barColumns * 8 / longest)
	drawn := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		drawn += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return drawn + strings.Repeat(" ", max(0, barColumns-len([]rune(drawn))))
}
