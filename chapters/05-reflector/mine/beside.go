package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
)

// beside has the reader's pieces and the book's hear the same. The first difference ends the run: a wrong piece may ask
// again and again, without a delay.
type beside struct {
	yours pieces
	wrong func(error) // ends the run

	mu    sync.Mutex
	heard *stream // what the server says on the streaming list that is read now
}

// parts are the reflector's, those of the reader where they are written.
func (b *beside) parts() reflector.Parts {
	p := reflector.Parts{Versions: reflector.NewVersions(), Initial: b.initial}
	if b.yours.policy {
		p.Policy = b.policy
	}
	if b.yours.versions {
		p.Versions = &bothVersions{yours: &readersVersions{}, book: p.Versions, wrong: b.wrong}
	}
	return p
}

// policy compares two decisions.
func (b *beside) policy(doing reflector.Doing, err error) reflector.Decision {
	got, want := readersPolicy(doing, err), reflector.Decide(doing, err)
	if got != want {
		b.wrong(fmt.Errorf("%s: your policy says: %s. Due is: %s\nmake grade EX=05.1 says more",
			ended(doing, err), decided(got), decided(want)))
	}
	return got
}

// ended tells what the policy is asked about.
func ended(doing reflector.Doing, err error) string {
	if err == nil {
		return string(doing) + " ended in good order"
	}
	return fmt.Sprintf("%s ended with %q", doing, reasonOf(err))
}

// reasonOf is what counts in an error of the API server, or else its text.
func reasonOf(err error) string {
	if reason := apierrors.ReasonForError(err); reason != "" {
		return string(reason)
	}
	return err.Error()
}

func decided(d reflector.Decision) string {
	text := string(d.Next)
	if d.Forget {
		text += ", from the newest state"
	}
	if d.Wait {
		text += ", after a delay"
	}
	if d.Tell {
		text += ", and the handler hears of it"
	}
	return text
}

// bothVersions are two that take note of the same. It is asked by the reflector's goroutine alone.
type bothVersions struct {
	yours, book reflector.Versions
	wrong       func(error)
}

func (v *bothVersions) answer(method, got, want string) string {
	if got != want {
		v.wrong(fmt.Errorf("your versions' %s is %q, and due is %q\nmake grade EX=05.2 says more", method, got, want))
	}
	return got
}

// List implements reflector.Versions, as do the others.
func (v *bothVersions) List() string   { return v.answer("List", v.yours.List(), v.book.List()) }
func (v *bothVersions) Stream() string { return v.answer("Stream", v.yours.Stream(), v.book.Stream()) }
func (v *bothVersions) Watch() string  { return v.answer("Watch", v.yours.Watch(), v.book.Watch()) }
func (v *bothVersions) Last() string   { return v.answer("Last", v.yours.Last(), v.book.Last()) }

func (v *bothVersions) Synced(version string) { v.yours.Synced(version); v.book.Synced(version) }
func (v *bothVersions) Opened()               { v.yours.Opened(); v.book.Opened() }
func (v *bothVersions) Unavailable()          { v.yours.Unavailable(); v.book.Unavailable() }

func (v *bothVersions) Event(kind watch.EventType, version string) bool {
	got, want := v.yours.Event(kind, version), v.book.Event(kind, version)
	v.answer(fmt.Sprintf("Event of %s", kind), fmt.Sprint(got), fmt.Sprint(want))
	return got
}

// initial compares what the reader's function returns with what the server said.
func (b *beside) initial(ctx context.Context, w watch.Interface, into reflector.Collection) (string, error) {
	if !b.yours.initial {
		return reflector.ReadInitial(ctx, w, into)
	}
	watched := &countsStops{Interface: w}
	version, err := readersInitial(ctx, watched, into)
	if ctx.Err() != nil {
		return version, err
	}
	b.mu.Lock()
	heard := b.heard
	b.mu.Unlock()
	if why := heard.differs(version, err, watched.count()); why != "" {
		b.wrong(fmt.Errorf("your Read %s\nmake grade EX=05.3 says more", why))
	}
	return version, err
}

// countsStops is a watch.
type countsStops struct {
	watch.Interface
	mu    sync.Mutex
	stops int
}

// Stop implements watch.Interface.
func (w *countsStops) Stop() {
	w.mu.Lock()
	w.stops++
	w.mu.Unlock()
	w.Interface.Stop()
}

func (w *countsStops) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stops
}

// differs says what is wrong with what Read returned, if anything.
func (s *stream) differs(version string, err error, stops int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == nil && s.end == "":
		return fmt.Sprintf("returned version %q, and the server had not sent the end of the initial state", version)
	case err == nil && version != s.end:
		return fmt.Sprintf("returned version %q, and the bookmark that ends the initial state has %q", version, s.end)
	case err == nil && stops > 0:
		return "stopped the watch of which it has read the initial state"
	case err == nil:
		return ""
	case s.failure != nil && reasonOf(err) != reasonOf(s.failure):
		return fmt.Sprintf("returned %q, and the server had sent %q", err, s.failure)
	case s.failure == nil && s.closed && !errors.Is(err, reflector.ErrEndedEarly):
		return fmt.Sprintf("returned %q, and the server had ended the response", err)
	case s.failure == nil && !s.closed:
		return fmt.Sprintf("returned %q, and nothing had failed", err)
	case stops == 0:
		return "returned an error, and did not stop the watch"
	}
	return ""
}
