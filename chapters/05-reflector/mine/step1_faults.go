package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// script is what goes wrong, by the number of the request that a right reflector sends.
var script = faults.Written{
	{Request: 1, Event: 2, Kind: faults.Close},             // a streaming list ends too early
	{Request: 2, Event: 2, Kind: faults.ErrorEvent},        // another fails
	{Request: 3, Kind: faults.Gone},                        // the version of the list can't be had
	{Request: 5, Kind: faults.TooMany, After: time.Second}, // the watch after it is refused
	{Request: 6, Event: 1, Kind: faults.Close},             // the next ends in good order
	{Request: 7, Event: 1, Kind: faults.Expired},           // and the next is too old
	{Request: 8, Kind: faults.Gone},                        // as is what the streaming list asks for
	{Request: 9, Event: 5, Kind: faults.Cut},               // the last breaks two events after its three objects
}

// changes happen on the server, each when the store has the one before.
var changes = []struct{ verb, name string }{
	{"create", "white"}, {"update", "green"}, {"delete", "black"}, {"create", "oolong"},
}

// maxRequests is more than a right reflector sends.
const maxRequests = 30

// tooLate is how long the reflector may take for a change, and tooLong how long to stop: much more than it needs.
const tooLate, tooLong = 8 * time.Second, 5 * time.Second

// underFaults runs a reflector with the reader's pieces while the writer writes and the proxy breaks what it can.
func (p pieces) underFaults(ctx context.Context, l *lab.Lab) error {
	t, err := newTeas(l, script)
	if err != nil {
		return err
	}
	defer t.proxy.Close()
	t.proxy.OnFault(func(_ faults.Record, f faults.Fault) { l.Event("FAULT", "%s", f.Kind) })
	for _, name := range []string{"black", "green"} {
		if err := t.write(ctx, "create", name); err != nil {
			return err
		}
	}
	running, wrong := context.WithCancelCause(ctx)
	b := &beside{yours: p, wrong: wrong}
	t.stream = b.hear
	returned := make(chan struct{})
	go func() { defer close(returned); t.reflector(b).RunWithContext(running) }()
	err = t.writeAll(running)
	if cause := context.Cause(running); cause != nil { // which a request of the writer may not tell
		err = cause
	}
	wrong(nil)
	select {
	case <-returned:
	case <-time.After(tooLong):
		return errors.Join(err, p.blame(fmt.Sprintf("%v after its context had ended, the reflector ran on", tooLong)))
	}
	if errors.Is(err, errLate) {
		return p.blame(err.Error())
	}
	if err != nil {
		return err
	}
	l.Conclude("After %d faults, the store equals a fresh LIST: %s", t.proxy.Stats().Total, text(t.inStore()))
	return nil
}

// hear notes which streaming list is read now.
func (b *beside) hear(s *stream) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.heard = s
}

// reflector is the book's, with short delays, that says what it decides.
func (t *teas) reflector(b *beside) *reflector.Reflector {
	var requests atomic.Int32
	return reflector.New(t.source(), &corev1.ConfigMap{}, &rechecked{t.store, t.proxy.Recheck}, reflector.Options{
		Name:    "mine",
		Backoff: &wait.Backoff{Duration: 100 * time.Millisecond, Cap: time.Second, Factor: 2, Steps: 4},
		Parts:   b.parts(),
		// The line about the decision says that it hears of an error.
		WatchErrorHandler: func(context.Context, *cache.Reflector, error) {},
		Observer: reflector.Observer{
			Request: func(reflector.Doing, metav1.ListOptions) {
				if requests.Add(1) > maxRequests {
					b.wrong(b.yours.blame(fmt.Sprintf("the reflector has sent more than %d requests", maxRequests)))
				}
			},
			Decision: func(doing reflector.Doing, err error, decision reflector.Decision, _ time.Duration) {
				t.lab.Became("%s: %s", ended(doing, err), decided(decision))
			},
		},
	})
}

// rechecked is a store that has the proxy's Quiet look again after each write.
type rechecked struct {
	cache.Store
	recheck func()
}

func (s *rechecked) Add(object any) error    { defer s.recheck(); return s.Store.Add(object) }
func (s *rechecked) Update(object any) error { defer s.recheck(); return s.Store.Update(object) }
func (s *rechecked) Delete(object any) error { defer s.recheck(); return s.Store.Delete(object) }

func (s *rechecked) Replace(objects []any, version string) error {
	defer s.recheck()
	return s.Store.Replace(objects, version)
}

// writeAll makes the changes, and waits for each.
func (t *teas) writeAll(ctx context.Context) error {
	if err := t.settled(ctx); err != nil {
		return err
	}
	for _, c := range changes {
		if err := t.write(ctx, c.verb, c.name); err != nil {
			return err
		}
		if err := t.settled(ctx); err != nil {
			return err
		}
	}
	return nil
}

var errLate = errors.New("the store and the server differ")

// settled waits until the store equals a fresh LIST, and a watch is open.
func (t *teas) settled(ctx context.Context) error {
	want, err := t.onServer(ctx)
	if err != nil {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, tooLate)
	defer cancel()
	err = t.proxy.Quiet(waiting, func() bool { return maps.Equal(t.inStore(), want) })
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx) // such as what is wrong
	case err != nil:
		return fmt.Errorf("%w after %v. The server has: %s. The store has: %s", errLate, tooLate, text(want),
			text(t.inStore()))
	}
	t.lab.Became("the store: %s", text(want))
	return nil
}

// blame names the piece of the reader's that is left when policy and versions have said what was due.
func (p pieces) blame(what string) error {
	exercise := "05.1"
	switch {
	case p.initial:
		exercise = "05.3"
	case p.versions:
		exercise = "05.2"
	}
	return fmt.Errorf("%s\nmake grade EX=%s says more", what, exercise)
}
