package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// run is what the steps share: an informer with the reader's pieces, its handlers, and one who writes.
type run struct {
	yours      pieces
	patience   time.Duration // before it is said of something that it does not come
	world      *scenario.World
	fast, slow *scenario.Handler
	lives      *lives
	seen       *scenario.Writer // waits for the store after each write
	unseen     *scenario.Writer // does not
	endFaults  func() error
}

func newRun(yours pieces, patience time.Duration) *run {
	return &run{yours: yours, patience: patience,
		fast: scenario.NewHandler("fast"), slow: scenario.NewHandler("slow").Stick(),
		lives: &lives{told: map[string][]string{}}, endFaults: func() error { return nil }}
}

// part makes a step that has patience, and after which, if it fails, nothing runs on.
func (r *run) part(step func(context.Context, *lab.Lab) error) func(context.Context, *lab.Lab) error {
	return func(ctx context.Context, l *lab.Lab) error {
		ctx, cancel := context.WithTimeoutCause(ctx, r.patience, r.wrong("after %v, what was written on the server "+
			"has not come to the store and to the handlers", r.patience))
		defer cancel()
		for _, w := range []*scenario.Writer{r.seen, r.unseen} {
			if w != nil {
				w.In(ctx)
			}
		}
		err := step(ctx, l)
		if err != nil {
			return errors.Join(err, r.stop())
		}
		return nil
	}
}

// stop ends the informer, if there is one.
func (r *run) stop() error {
	if r.world == nil {
		return nil
	}
	world, done := r.world, make(chan error, 1)
	r.world = nil
	go func() { world.Stop(); done <- r.endFaults() }()
	select {
	case err := <-done:
		return err
	case <-time.After(r.patience):
		return r.wrong("the informer was stopped, and has not returned after %v", r.patience)
	}
}

// wrong is an error that says who knows more.
func (r *run) wrong(format string, args ...any) error {
	return errors.New(fmt.Sprintf(format, args...) + "\n" + r.yours.graders())
}

// start makes the world: an informer whose first watch expires in place of the event with this number.
func (r *run) start(ctx context.Context, l *lab.Lab, event int, then func()) error {
	over, end, err := scenario.Expiring(l, event, then)
	if err != nil {
		return err
	}
	r.endFaults = end
	r.world = scenario.NewWorld(over, l.Namespace, informer.Options{Parts: r.yours.parts()})
	r.seen.Seen = r.world
	if err := r.world.Join(r.fast, r.slow); err != nil {
		return err
	}
	if r.yours.lives {
		if _, err := r.world.Informer.AddEventHandler(r.lives.handler()); err != nil {
			return err
		}
	}
	r.world.Run(ctx)
	return nil
}

// show waits until all has come as far as it can, and shows who knows what.
func (r *run) show(ctx context.Context, l *lab.Lab) error {
	err := errors.Join(r.seen.Err, r.unseen.Err)
	if err == nil {
		err = r.world.Settle(ctx)
	}
	r.world.Board(l)
	return err
}

// tell waits until the reader's handler of lives has told this, and shows it.
func (r *run) tell(ctx context.Context, l *lab.Lab, want ...string) error {
	if !r.yours.lives {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, r.patience/3)
	defer cancel()
	_ = scenario.Until(ctx, func() bool { return slices.Equal(r.lives.all(), want) })
	got := r.lives.all()
	for _, line := range got {
		l.Became("%s", line)
	}
	if !slices.Equal(got, want) {
		return errors.New("what your handler of lives has to tell is:\n" + strings.Join(want, "\n") +
			"\nmake grade EX=07.3 says more.")
	}
	return nil
}

// compare compares what the store has and the handlers know with a fresh LIST.
func (r *run) compare(ctx context.Context, l *lab.Lab) error {
	client, err := scenario.Direct(l)
	if err != nil {
		return err
	}
	own := metav1.ListOptions{FieldSelector: lab.OwnConfigMaps}
	list, err := client.CoreV1().ConfigMaps(l.Namespace).List(ctx, own)
	if err != nil {
		return err
	}
	var real, stored []string
	for i := range list.Items {
		real = append(real, version(&list.Items[i]))
	}
	for _, object := range r.world.Informer.GetStore().List() {
		stored = append(stored, version(object.(*corev1.ConfigMap)))
	}
	all := map[string][]string{"the store": stored}
	for _, h := range r.world.Handlers {
		all[h.Name] = known(h)
	}
	slices.Sort(real)
	for who, has := range all {
		if slices.Sort(has); !slices.Equal(has, real) {
			return r.wrong("the API server has: %s\n%s has: %s", strings.Join(real, ", "), who, strings.Join(has, ", "))
		}
	}
	l.Conclude("The store, fast and slow have what a fresh LIST of the server has: %s.", strings.Join(real, ", "))
	return nil
}

// known is what a handler knows of all objects that there ever were.
func known(h *scenario.Handler) (all []string) {
	for _, name := range []string{"bread", "cake", "soup", "tea"} {
		if v := h.Knows(name); v != "-" {
			all = append(all, name+" at "+v)
		}
	}
	return all
}

func version(c *corev1.ConfigMap) string { return c.Name + " at " + c.ResourceVersion }
