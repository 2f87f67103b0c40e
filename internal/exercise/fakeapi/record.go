package fakeapi

import "net/http"

// Requests returns what is recorded so far of each request, in the order in which the client made them.
func (s *Server) Requests() []Request {
	return s.filter(func(Request) bool { return true })
}

// OpenBodies returns the requests whose response the client got and has not closed.
func (s *Server) OpenBodies() []Request {
	return s.filter(func(r Request) bool { return r.BodyOpen })
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
