package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// run is what the steps share: the namespaces, and a controller on the reader's pieces.
type run struct {
	yours    pieces
	patience time.Duration // before it is said of something that it does not come
	world    *scenario.World
	control  *scenario.Control

	lock sync.Mutex // guards last
	last error      // that a run of the controller returned
}

// part makes a step that has patience, and after which, if it fails, nothing runs on.
func (r *run) part(step func(context.Context, *lab.Lab) error) func(context.Context, *lab.Lab) error {
	return func(ctx context.Context, l *lab.Lab) error {
		err := step(ctx, l)
		if err != nil {
			return errors.Join(err, r.stop())
		}
		return nil
	}
}

// start starts a controller on the reader's pieces.
func (r *run) start(ctx context.Context) (err error) {
	r.control, err = r.world.Start(ctx, scenario.Options{
		Parts: func(kubernetes.Interface) mirror.Parts { return r.yours.parts() },
		Observe: func(_ mirror.Key, err error) {
			r.lock.Lock()
			defer r.lock.Unlock()
			if err != nil {
				r.last = err
			}
		}})
	return err
}

// stop stops it, unless that takes too long.
func (r *run) stop() error {
	if r.control == nil {
		return nil
	}
	done, control := make(chan struct{}), r.control
	r.control = nil
	go func() {
		defer close(done)
		control.Stop()
	}()
	select {
	case <-done:
		return nil
	case <-time.After(r.patience):
		return r.wrong("the controller was told to stop, and after %v it still runs", r.patience)
	}
}

// wrong is an error that says who knows more.
func (r *run) wrong(format string, args ...any) error {
	return errors.New(fmt.Sprintf(format, args...) + "\n" + r.yours.graders())
}

// becomes waits until the places are as they should be: what stands there, as World.What says it.
func (r *run) becomes(ctx context.Context, l *lab.Lab, wanted map[string]string) error {
	places := slices.Sorted(maps.Keys(wanted))
	var differences []string
	for end := time.Now().Add(r.patience); ; {
		differences = nil
		for _, place := range places {
			is, err := r.world.What(ctx, place)
			if err != nil {
				return err
			}
			if is != wanted[place] {
				differences = append(differences,
					fmt.Sprintf("%s should have %s, and has %s", place, wanted[place], is))
			}
		}
		if len(differences) == 0 {
			break
		}
		if time.Now().After(end) {
			return r.wrong("after %v, not all places are as they should be:\n%s%s", r.patience,
				strings.Join(differences, "\n"), r.said())
		}
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	r.control.Rest()
	if err := r.world.Table(ctx, places...); err != nil {
		return err
	}
	l.Conclude("%s", agreed(len(places)))
	return nil
}

// said is the last error of a run.
func (r *run) said() string {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.last == nil {
		return ""
	}
	return "\nthe last error of a run: " + r.last.Error()
}

// first is the first error.
func first(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

func agreed(places int) string {
	if places == 1 {
		return "The place is as it should be."
	}
	return fmt.Sprintf("All %d places are as they should be.", places)
}
