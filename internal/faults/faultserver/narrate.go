package faultserver

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// seconds is a time since the start, in a column.
func seconds(d time.Duration) string { return fmt.Sprintf("%5.1fs", d.Seconds()) }

// speaker is a program, and which process of it, 0 where that is not known.
type speaker struct {
	agent   string
	process int
}

// named says who sent a request, if it is another than before: the program, and its process where more than one was
// seen of it.
func (s *Server) named(who speaker) string {
	if who.process == 0 && who.agent == s.spoke.agent || who == s.spoke {
		return ""
	}
	s.spoke = who
	seen := s.programs[who.agent]
	if who.process != 0 && !slices.Contains(seen, who.process) {
		seen = append(seen, who.process)
		s.programs[who.agent] = seen
	}
	name := cmp.Or(who.agent, "no user agent")
	if len(seen) > 1 && who.process != 0 {
		return fmt.Sprintf("  (%s, process %d)", name, who.process)
	}
	return "  (" + name + ")"
}

// say shows a request on one line, or on more where it is long, with who sent it.
func (s *Server) say(head, path, query string, who speaker) {
	pieces := []string{"  " + path, query}
	if utf8.RuneCountInString(query) > lab.Columns-len("      ") {
		pieces = append(pieces[:1], strings.SplitAfter(query, "&")...)
	}
	pieces = append(pieces, s.named(who))
	show, line := s.o.Narrator.Sent, head
	for _, piece := range pieces {
		if piece == "" {
			continue
		}
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
	if a.socket {
		head += " over a WebSocket"
	}
	s.say(head, printable(a.path), shownQuery(rawQuery, s.o.Verbose), speaker{a.agent, a.process})
	if a.illegible && a.verb == faults.Watch {
		s.o.Narrator.More("      It accepts no JSON, so that no fault can meet an event.")
	}
}

// passing shows a request that is none of the script's business.
func (s *Server) passing(r *http.Request) {
	if !s.o.Verbose {
		return
	}
	who := speaker{program(r.UserAgent()), s.processOf(r)}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.say(fmt.Sprintf("%s  %s", seconds(time.Since(s.started)), r.Method), printable(r.URL.Path),
		shownQuery(r.URL.RawQuery, true), who)
}

// refused shows, once for each program, that it came without the token.
func (s *Server) refused(r *http.Request) {
	s.once(speaker{agent: program(r.UserAgent())}, r, "401: it came without the token of the proxy's kubeconfig")
}

// unwelcome shows, once for each program and reason, that its WebSocket was refused.
func (s *Server) unwelcome(a *asked, r *http.Request, no *unwelcome) {
	s.once(speaker{a.agent, a.process}, r, fmt.Sprintf("%d: %s", no.code, no.advice))
}

// once shows a request and what it was refused with, unless that was shown already.
func (s *Server) once(who speaker, r *http.Request, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := who.agent + " " + why
	if s.told[key] {
		return
	}
	s.told[key] = true
	now := seconds(time.Since(s.started))
	s.say(now+"  "+r.Method, printable(r.URL.Path), "", who)
	for i, line := range lab.Wrap(why, lab.Columns-len(now)-len("    ")) {
		if i == 0 {
			s.o.Narrator.Wire("%s  %s", now, line)
		} else {
			s.o.Narrator.More("%s%s", strings.Repeat(" ", len(now)), line)
		}
	}
}

// ended notes and shows how a list or a watch ended, if the server itself refused it or everything is to be shown. It
// is deferred: what breaks off an answer panics.
func (s *Server) ended(proxy *faults.Proxy, a *asked) {
	broken := recover()
	s.mu.Lock()
	if a.n != 0 && !s.closed {
		a.record, a.ended, a.over = proxy.Record(a.n), true, time.Since(s.started)
		if broken != nil && a.record.End == "whole" { // the API server's answer was, and the client did not wait for it
			a.record.End = "client closed"
		}
		if s.o.Verbose || len(a.record.Fired) == 0 && a.record.Status >= http.StatusBadRequest {
			s.o.Narrator.Wire("%s  %s %d  %s", seconds(time.Since(s.started)), a.resource, a.n, outcome(a.record))
		}
	}
	s.mu.Unlock()
	if broken != nil {
		panic(broken)
	}
}

// outcome says in a few words what came of a request.
func outcome(r faults.Record) string {
	status := "no answer"
	if r.Status != 0 {
		status = fmt.Sprintf("%d %s", r.Status, http.StatusText(r.Status))
	}
	switch {
	case r.Opaque:
		status += ", its events are no JSON"
	case r.Verb == faults.Watch && r.Status == http.StatusOK:
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
