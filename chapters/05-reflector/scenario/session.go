package scenario

import (
	"context"
	"net/http"
	"slices"
	"time"
)

// requested notes a request, and finds what it meets in place of the server.
func (s *Session) requested(r *http.Request) (instead Answer, has bool) {
	if s.run.Request != nil {
		s.run.Request(r)
	}
	query := r.URL.Query()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	s.note(note{next: Next{Kind: kind(query), From: from(query, s.seen)}})
	instead, has = s.run.Mishap.Instead[s.requests]
	return instead, has
}

// failed notes that something went wrong.
func (s *Session) failed(text string) {
	if s.run.Fault != nil && !s.stopping.Load() {
		s.run.Fault(text)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.note(note{failure: true})
}

// told notes what the store was told, after that was shown: whoever waits for it may show more.
func (s *Session) told(method, text, version string) {
	if s.run.Told != nil {
		s.run.Told(text)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if version != "" {
		s.seen = version
	}
	s.calls[method]++
	s.names = s.Store.names()
	s.note(note{replace: method == "Replace"})
}

// logged hands on a line of the log. A reflector that is stopped may log that its watch ended, or not.
func (s *Session) logged(message string, err any) {
	if s.run.Logged != nil && !s.stopping.Load() {
		s.run.Logged(message, err)
	}
}

// Has says whether the store was told of an object with the name, and has it.
func (s *Session) Has(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.names[name]
}

// note is called with the lock held.
func (s *Session) note(n note) {
	n.at = time.Now()
	s.notes = append(s.notes, n)
	close(s.changed)
	s.changed = make(chan struct{})
	s.proxy.Recheck()
}

// Wait waits until done, which is asked again after each thing that happens.
func (s *Session) Wait(ctx context.Context, done func(*Session) bool) error {
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if done(s) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Quiet waits until a watch is open and nothing is on its way, and until done.
func (s *Session) Quiet(ctx context.Context, done func(*Session) bool) error {
	return s.proxy.Quiet(ctx, func() bool { return done(s) })
}

// Requests is how many requests there were.
func (s *Session) Requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// Calls is how often the store's method was called.
func (s *Session) Calls(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[method]
}

// Next is the first request after the last thing that went wrong, once there is one.
func (s *Session) Next() (Next, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := s.last()
	if last < 0 {
		return Next{}, false
	}
	for _, n := range s.notes[last:] {
		if n.next.Kind != "" {
			n.next.After = n.at.Sub(s.notes[last].at)
			return n.next, true
		}
	}
	return Next{}, false
}

// Replaced says whether the store's content was replaced after the last thing that went wrong. The first content of a
// store replaces nothing, unless it is what went wrong.
func (s *Session) Replaced() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := s.last()
	return last >= 0 && (s.run.Mishap.Start || s.calls["Replace"] > 1) &&
		slices.ContainsFunc(s.notes[last:], func(n note) bool { return n.replace })
}

// last is the index of the last thing that went wrong, and -1 before it happened. It is called with the lock held.
func (s *Session) last() int {
	left := s.faults
	for i, n := range s.notes {
		if n.failure {
			left--
		}
		if n.failure && left == 0 {
			return i
		}
	}
	return -1
}

// Failures is how much has gone wrong so far.
func (s *Session) Failures() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	count := 0
	for _, n := range s.notes {
		if n.failure {
			count++
		}
	}
	return count
}
