package faultserver

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

// Report shows what was spoiled, what the program asked for next, which chapter explains it, and what of the script
// was never reached. Close comes first.
func (s *Server) Report() {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.o.Narrator
	n.Heading("report", "what was spoiled, and what came next")
	kinds := s.reportFaults()
	if len(kinds) == 0 {
		n.Conclude("Nothing was spoiled: %s", s.whyNothing())
	}
	s.reportUnreached()
	if len(kinds) == 0 {
		return
	}
	n.Heading("report", "what client-go's reflector does about it, and the chapter that explains it")
	for _, k := range faults.Kinds {
		if kinds[k] {
			n.Conclude("%s: %s", k, meanings[k].asks)
			n.Command("%s", played(k))
		}
	}
	n.Say("chapters/%s plays each to a reflector of client-go's, under the same name. What a log has of it:", reflector)
	n.Command("go run ./scripts/symptom < controller.log")
}

// reportFaults shows each fault in the order in which they came to pass, and returns the kinds.
func (s *Server) reportFaults() map[faults.Kind]bool {
	type of struct {
		a   *asked
		hit struck
	}
	var all []of
	kinds := map[faults.Kind]bool{}
	for _, a := range s.asked {
		for _, hit := range a.struck {
			all = append(all, of{a, hit})
			kinds[hit.Kind] = true
		}
	}
	slices.SortStableFunc(all, func(x, y of) int { return int(x.hit.at - y.hit.at) })
	for _, x := range all {
		s.sayFault(x.a, x.hit, x.a.describe())
		s.o.Narrator.Sent("%s", s.next(x.a, x.hit))
	}
	return kinds
}

// describe says what a request asked for.
func (a *asked) describe() string {
	q := a.query
	version := printable(q.Get("resourceVersion"))
	var what string
	switch {
	case a.verb == faults.Watch && q.Get("sendInitialEvents") == "true":
		what = "a WATCH with all objects first"
	case a.verb == faults.Watch && (version == "" || version == "0"):
		what = "a WATCH from any version, with all objects first"
	case a.verb == faults.Watch:
		what = "a WATCH from version " + version
	case q.Get("continue") != "":
		what = "a LIST of the next page"
	default:
		what = "a LIST of all objects"
	}
	if q.Get("labelSelector") != "" || q.Get("fieldSelector") != "" {
		what += " selected"
	}
	return what
}

// next says what the same program asked for after a fault.
func (s *Server) next(a *asked, hit struck) string {
	if hit.Kind == faults.Delay || hit.Kind == faults.DropBookmarks {
		if a.record.End == "open" {
			return "the request went on: " + outcome(a.record)
		}
	}
	for _, b := range s.asked[hit.before:] {
		if a.same(b) {
			return fmt.Sprintf("%s, %s %d: %s", later(b.at-hit.at), b.resource, b.n, b.describe())
		}
	}
	return "nothing in " + short(s.lasted-hit.at)
}

// later says after how long a request came. What a busy machine takes to send it is no delay: the shortest of
// client-go's is 0.8 s.
func later(d time.Duration) string {
	if d < 200*time.Millisecond {
		return "at once"
	}
	return short(d) + " later"
}

// short is a duration for a sentence.
func short(d time.Duration) string { return fmt.Sprintf("%.1fs", d.Seconds()) }

// whyNothing says why no fault came to pass.
func (s *Server) whyNothing() string {
	if len(s.asked) == 0 {
		if len(s.others) > 0 {
			return "nobody listed or watched what the script speaks of" + s.butOthers() + "."
		}
		return "no list and no watch came. Does your program use the kubeconfig above?"
	}
	return fmt.Sprintf("%s came, and met no fault.", count(len(s.asked), "list or watch request"))
}

// butOthers names the resources that were asked for and that the script does not speak of.
func (s *Server) butOthers() string {
	names := slices.Sorted(maps.Keys(s.others))
	const most = 8
	if len(names) > most {
		names = append(names[:most], fmt.Sprintf("and %d more", len(names)-most))
	}
	if len(names) == 0 {
		return ""
	}
	return ", but " + strings.Join(names, ", ")
}

// reportUnreached shows the parts of a written script that did not come to pass.
func (s *Server) reportUnreached() {
	for _, p := range s.o.Script.parts {
		if !slices.ContainsFunc(s.asked, p.struck) {
			s.o.Narrator.Conclude("Never reached: %s. %s", p, s.whyNot(p))
		}
	}
}

// struck says whether the part came to pass in a request.
func (p part) struck(a *asked) bool {
	return matches(p.resource, a.resource) && a.n == p.fault.Request &&
		slices.ContainsFunc(a.struck, func(hit struck) bool {
			return hit.Kind == p.fault.Kind && (hit.Event == p.fault.Event || hit.Kind == faults.Away)
		})
}

// whyNot says why a part of the script did not come to pass, where it came closest.
func (s *Server) whyNot(p part) string {
	var closest *resource
	var name string
	for n, r := range s.resources {
		if matches(p.resource, n) &&
			(closest == nil || len(r.asked) > len(closest.asked) || len(r.asked) == len(closest.asked) && n < name) {
			closest, name = r, n
		}
	}
	switch {
	case closest == nil && p.resource != "":
		return "Nobody listed or watched " + p.resource + s.butOthers() + "."
	case closest == nil:
		return "Nobody listed or watched anything."
	case len(closest.asked) < p.fault.Request:
		return fmt.Sprintf("There were %s for %s.", count(len(closest.asked), "request"), name)
	}
	a := closest.asked[p.fault.Request-1]
	switch {
	case a.verb == faults.List && len(faults.Written{p.fault}.Faults(a.n, faults.List)) == 0:
		return fmt.Sprintf("%s %d was a LIST, to which this does not happen.", name, a.n)
	case a.illegible:
		return fmt.Sprintf("%s %d accepted no JSON.", name, a.n)
	}
	return fmt.Sprintf("%s %d had: %s.", name, a.n, outcome(a.record))
}
