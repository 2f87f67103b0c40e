package faultserver

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
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
		if len(kinds[k]) == 0 {
			continue
		}
		for _, line := range meanings[k].lines(k, kinds[k]) {
			n.Conclude("%s", line)
		}
		n.Command("%s", played(k))
	}
	n.Say("chapters/%s plays each to a reflector of client-go's, under the same name. What a log has of it:", reflector)
	n.Command("go run ./scripts/symptom < controller.log")
}

// reportFaults shows each fault in the order in which they came to pass, and returns the kinds, with where they struck.
func (s *Server) reportFaults() map[faults.Kind]map[where]bool {
	type of struct {
		a   *asked
		hit struck
	}
	var all []of
	kinds := map[faults.Kind]map[where]bool{}
	for _, a := range s.asked {
		for _, hit := range a.struck {
			all = append(all, of{a, hit})
			if kinds[hit.Kind] == nil {
				kinds[hit.Kind] = map[where]bool{}
			}
			kinds[hit.Kind][hit.where] = true
		}
	}
	slices.SortStableFunc(all, func(x, y of) int { return int(x.hit.at - y.hit.at) })
	for _, x := range all {
		s.sayFault(x.a, x.hit, x.a.describeAt(x.hit))
		for i, line := range lab.Wrap(s.next(x.a, x.hit), lab.Columns-2) {
			if i == 0 {
				s.o.Narrator.Sent("%s", line)
			} else {
				s.o.Narrator.More("%s", line)
			}
		}
	}
	if s.unsure {
		s.o.Narrator.Conclude("Which process sent a request can't be seen here: what came next is told by the " +
			"program, and may be another process of it.")
	}
	return kinds
}

// lines say what a reflector does about a kind of fault, once for all places where it does the same.
func (m meaning) lines(k faults.Kind, struck map[where]bool) (lines []string) {
	var told []string
	for w := inWatch; w <= inList; w++ {
		if !struck[w] || slices.Contains(told, m.asks[w]) {
			continue
		}
		told = append(told, m.asks[w])
		place := w.String()
		if m.asks[w] == m.asks[inWatch] { // it is the general case
			place = ""
		}
		lines = append(lines, fmt.Sprintf("%s%s: %s", k, place, m.asks[w]))
	}
	return lines
}

// describe says what a request asked for.
func (a *asked) describe() string {
	q := a.query
	version := printable(q.Get("resourceVersion"))
	all, of := "all objects", ""
	if q.Get("labelSelector") != "" || q.Get("fieldSelector") != "" {
		all, of = "all selected objects", " of selected objects"
	}
	switch {
	case a.verb == faults.List && q.Get("continue") != "":
		return "a LIST of the next page" + of
	case a.verb == faults.List:
		return "a LIST of " + all
	case isTrue(q, "sendInitialEvents"):
		return "a WATCH with " + all + " first"
	case version != "" && version != "0":
		return "a WATCH from version " + version + of
	}
	from := "a WATCH without a version"
	if version == "0" {
		from = "a WATCH from any version"
	}
	if q.Has("sendInitialEvents") { // and is false
		return from + of
	}
	return from + ", with " + all + " first"
}

// describeAt says what a request asked for, and where in it a fault struck.
func (a *asked) describeAt(hit struck) string {
	if !isTrue(a.query, "sendInitialEvents") || hit.Event == 0 {
		return a.describe()
	}
	if hit.where == inInitial || hit.where == inYoungStream {
		return a.describe() + ", in the initial state"
	}
	return a.describe() + ", after they had come"
}

// next says what the same program asked for after a fault: the same process, where that can be told.
func (s *Server) next(a *asked, hit struck) string {
	if hit.Kind == faults.Delay || hit.Kind == faults.DropBookmarks {
		if a.record.End == "open" {
			return "the request went on: " + outcome(a.record)
		}
	}
	var other *asked
	for _, b := range s.asked[hit.before:] {
		if !a.same(b) {
			continue
		}
		kin := a.sender(b)
		if kin != strangers {
			s.unsure = s.unsure || kin == namesakes
			next := fmt.Sprintf("%s, %s %d: %s", later(b.at-hit.at), b.resource, b.n, b.describe())
			if c := s.beside(a, hit, b); c != nil {
				next += fmt.Sprintf(", unless that follows %s %d, which had ended, too", c.resource, c.n)
			}
			return next
		}
		if other == nil && a.userAgent == b.userAgent {
			other = b
		}
	}
	if other != nil {
		return fmt.Sprintf("nothing more from that process; %s, another %s sent %s %d: %s",
			later(other.at-hit.at), a.agent, other.resource, other.n, other.describe())
	}
	return "nothing in " + short(s.lasted-hit.at)
}

// beside is a request that ran beside a when a fault struck that, and had ended before b came: a program may have two
// informers on the same objects, and b may be the other's.
func (s *Server) beside(a *asked, hit struck, b *asked) *asked {
	for _, c := range s.asked[:hit.before] {
		if c != a && a.same(c) && a.sender(c) != strangers && c.ended && c.over > hit.at && c.over < b.at+atOnce {
			return c
		}
	}
	return nil
}

// atOnce is what a busy machine takes to send a request, or to notice that one is over: it is no delay. The shortest of
// client-go's is 0.8 s.
const atOnce = 200 * time.Millisecond

// later says after how long a request came.
func later(d time.Duration) string {
	if d < atOnce {
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
		if len(s.told) > 0 {
			return "no list and no watch was let in. What was refused stands above, with the reason."
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
	case len(closest.asked) == 1 && p.fault.Request > 1:
		return fmt.Sprintf("There was 1 request for %s.", name)
	case len(closest.asked) < p.fault.Request:
		return fmt.Sprintf("There were %d requests for %s.", len(closest.asked), name)
	}
	a := closest.asked[p.fault.Request-1]
	for _, hit := range a.struck {
		if a.record.End == string(hit.Kind) {
			return fmt.Sprintf("What came first ended the request: %s.", a.place(hit.Fault))
		}
	}
	switch {
	case a.verb == faults.List && len(faults.Written{p.fault}.Faults(a.n, faults.List)) == 0:
		return fmt.Sprintf("%s %d was a LIST, to which this does not happen.", name, a.n)
	case a.illegible || a.record.Opaque:
		return fmt.Sprintf("%s %d accepted no JSON.", name, a.n)
	}
	return fmt.Sprintf("%s %d had: %s.", name, a.n, outcome(a.record))
}
