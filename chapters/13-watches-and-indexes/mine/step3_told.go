package main

import (
	"context"
	"strconv"
	"sync"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	held "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	channel "github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/exercises/3-channel"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// How much step 3 sends.
const (
	differentKeys = 100
	timesEach     = 10
)

// seen has when the last run of each key began.
type seen struct {
	lock  sync.Mutex // guards what follows
	runs  int
	began map[string]time.Time
}

// Reconcile implements reconcile.Reconciler.
func (s *seen) Reconcile(_ context.Context, r reconcile.Request) (result reconcile.Result, err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.runs++
	s.began[r.Name] = time.Now()
	return result, nil
}

// since is how many keys have had a run since their moments, and how many runs there were in all.
func (s *seen) since(moments map[string]time.Time) (keys, runs int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for name, moment := range moments {
		if s.began[name].After(moment) {
			keys++
		}
	}
	return keys, s.runs
}

// told is step 3: a Source that is notified before the controller has started, and while it runs.
func (r run) told(ctx context.Context, l *lab.Lab) error {
	m, err := managed(l)
	if err != nil {
		return err
	}
	source, counts := channel.New(), &seen{began: map[string]time.Time{}}
	if err := builder.ControllerManagedBy(m).Named("told").WatchesRawSource(source).Complete(counts); err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, r.patience)
	defer cancel()
	moments, returned := notifies(limited, source)
	if !returned {
		return wrong("13.3", "before the start Notify should return at once, and has not returned")
	}
	l.Became("before the start: %d notifications, and each has returned", differentKeys*timesEach)
	started := running.Run(ctx, m.Start)
	defer func() { _ = started.Stop() }()
	if err := r.looked(limited, counts, moments); err != nil {
		return err
	}
	_, runs := counts.since(moments)
	l.Became("the controller has started: %d keys have had their run, in %d runs", differentKeys, runs)
	if moments, returned = notifies(limited, source); !returned {
		return wrong("13.3", "while the controller runs Notify should return at once, and has not returned")
	}
	if err := r.looked(limited, counts, moments); err != nil {
		return err
	}
	l.Became("notified again while it runs: all keys have had a run after their last notification")
	l.Conclude("Nobody waited for the controller, and nothing was lost: what was said often was looked at once.")
	return started.Stop()
}

// looked waits until each key has had a run since its moment.
func (r run) looked(ctx context.Context, counts *seen, moments map[string]time.Time) error {
	err := held.Until(ctx, func() bool {
		keys, _ := counts.since(moments)
		return keys == differentKeys
	})
	if err != nil {
		keys, _ := counts.since(moments)
		return wrong("13.3", "all %d keys should have a run after their last notification, and %d have", differentKeys, keys)
	}
	return nil
}

// notifies tells a Source of all keys, and says when it told of each at last, and whether that returned.
func notifies(ctx context.Context, source *channel.Source) (moments map[string]time.Time, returned bool) {
	done := make(chan map[string]time.Time, 1)
	go func() {
		moments := map[string]time.Time{}
		for range timesEach {
			for i := range differentKeys {
				name := strconv.Itoa(i)
				moments[name] = time.Now()
				source.Notify(channel.Key{Namespace: "outside", Name: name})
			}
		}
		done <- moments
	}()
	select {
	case moments := <-done:
		return moments, true
	case <-ctx.Done():
		return nil, false
	}
}
