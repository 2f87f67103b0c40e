package faultserver

import (
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// seconds is a time since the start, in a column.
func seconds(d time.Duration) string { return fmt.Sprintf("%5.1fs", d.Seconds()) }

// say shows a request on one line, or on more where it is long. The program that sent it is named when it is another
// than before.
func (s *Server) say(head, path, query, agent string) {
	pieces := []string{"  " + path, query}
	if agent != s.spoke {
		s.spoke, pieces = agent, append(pieces, "  ("+agent+")")
	}
	show, line := s.o.Narrator.Sent, head
	for _, piece := range pieces {
		if utf8.RuneCountInString(line+piece) > lab.Columns {
			show("%s", line)
			show, line, piece = s.o.Narrator.More, "      ", strings.TrimSpace(piece)
		}
		line += piece
	}
	show("%s", line)
}

// sayFault shows a fault: when it came to pass, where, and more of it.
func (s *Server) sayFault(a *asked, hit struck, more string) {
	const column = 9 // of the word FAULT
	for i, line := range lab.Wrap(a.place(hit.Fault)+": "+more, lab.Columns-column-len("  99.9s  ")) {
		if i == 0 {
			s.o.Narrator.Event("FAULT", "%s  %s", seconds(hit.at), line)
		} else {
			s.o.Narrator.More("%s%s", strings.Repeat(" ", column+len("  99.9s  ")-2), line)
		}
	}
}

// sayRequest shows a request that was counted. It is called with the lock held, as the other methods of this file that
// begin with say.
func (s *Server) sayRequest(a *asked, rawQuery string) {
	head := fmt.Sprintf("%s  %s %d  %s", seconds(a.at), a.resource, a.n, a.verb)
	s.say(head, printable(a.path), shownQuery(rawQuery, s.o.Verbose), a.agent)
	if a.illegible {
		s.o.Narrator.More("      It accepts no JSON, so that no fault can meet an event.")
	}
}

// passing shows a request that is none of the script's business.
func (s *Server) passing(r *http.Request) {
	if !s.o.Verbose {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.say(fmt.Sprintf("%s  %s", seconds(time.Since(s.started)), r.Method), printable(r.URL.Path),
		shownQuery(r.URL.RawQuery, true), program(r.UserAgent()))
}

// refused shows, once for each program, that it came without the token.
func (s *Server) refused(r *http.Request) {
	agent := program(r.UserAgent())
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.strangers[agent] {
		return
	}
	s.strangers[agent] = true
	s.say(fmt.Sprintf("%s  %s", seconds(time.Since(s.started)), r.Method), printable(r.URL.Path), "", agent)
	s.o.Narrator.Wire("%s  401: it came without the token of the proxy's kubeconfig", seconds(time.Since(s.started)))
}

// ended shows how a list or a watch ended, if the server itself refused it or everything is to be shown.
func (s *Server) ended(proxy *faults.Proxy, a *asked) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.n == 0 || s.closed {
		return
	}
	rec := proxy.Record(a.n)
	if s.o.Verbose || len(rec.Fired) == 0 && rec.Status >= http.StatusBadRequest {
		s.o.Narrator.Wire("%s  %s %d  %s", seconds(time.Since(s.started)), a.resource, a.n, outcome(rec))
	}
}

// outcome says in a few words what came of a request.
func outcome(r faults.Record) string {
	status := "no answer"
	if r.Status != 0 {
		status = fmt.Sprintf("%d %s", r.Status, http.StatusText(r.Status))
	}
	if r.Verb == faults.Watch && r.Status == http.StatusOK {
		status += ", " + count(r.Events, "event")
	}
	return status + ", " + r.End
}

// count is a number of things.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
