package fakeapi

import (
	"context"
	"fmt"
	"net/http"
)

// Requests returns what is recorded so far of each request, in the order in which the client made them.
func (s *Server) Requests() []Request {
	return s.filter(func(Request) bool { return true })
}

// OpenBodies returns the requests whose response the client got and has not closed.
func (s *Server) OpenBodies() []Request {
	return s.filter(func(r Request) bool { return r.BodyOpen })
}

// Unended returns the requests that the Server is still answering.
func (s *Server) Unended() []Request {
	return s.filter(func(r Request) bool { return r.Arrived && r.Ending == "" })
}

func (s *Server) filter(keep func(Request) bool) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Request
	for _, x := range s.requests {
		if keep(x.rec) {
			out = append(out, x.rec.clone())
		}
	}
	return out
}

// Conns counts the open connections: those with a request on them, and those that wait for the next one.
func (s *Server) Conns() (active, idle int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, state := range s.conns {
		if state == http.StateIdle {
			idle++
		} else {
			active++
		}
	}
	return active, idle
}

// WaitRequest waits until the n-th request (1 is the first) has arrived.
func (s *Server) WaitRequest(ctx context.Context, n int) (Request, error) {
	return s.wait(ctx, n, "has not arrived", func(r Request) bool { return r.Arrived })
}

// WaitEnd waits until the Server's side of the n-th request has ended.
func (s *Server) WaitEnd(ctx context.Context, n int) (Request, error) {
	return s.wait(ctx, n, "has not ended", func(r Request) bool { return r.Ending != "" })
}

func (s *Server) wait(ctx context.Context, n int, not string, done func(Request) bool) (Request, error) {
	for {
		s.mu.Lock()
		changed := s.changed
		if n <= len(s.requests) && done(s.requests[n-1].rec) {
			r := s.requests[n-1].rec.clone()
			s.mu.Unlock()
			return r, nil
		}
		s.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return Request{}, fmt.Errorf("request %d %s: %w", n, not, ctx.Err())
		}
	}
}
