package fifotest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/bubble"
)

// Verbs, as often as they are to come.
var (
	deltaVerbs = strings.Fields("Add Add Update Update Update Delete Delete Replace Replace Resync know " +
		"Pop Pop Pop Pop Close")
	realVerbs = append(deltaVerbs, strings.Fields("Bookmark Open PopBatch PopBatch PopBatch")...)
)

// random does the same random operations on a queue and on upstream's, in each of the setups, and compares what comes
// of each. Pops may wait, and operations come while they do, and while they process.
type random struct {
	subject, model queueFunc
	setups         []setup
	verbs          []string
	marks          string // of objects
	tombstones     bool   // may be added
}

// run does 10,000 operations, and more.
func (r random) run(t *testing.T) {
	for operations := 0; operations < 10_000; { // however few rapid was told to make
		rapid.Check(t, func(rt *rapid.T) {
			s := rapid.SampledFrom(r.setups).Draw(rt, "setup")
			some := rapid.SliceOfN(rapid.Custom(r.operation), 0, 40)
			plan := slices.Concat(rapid.SliceOfN(some, 10, 40).Draw(rt, "plan")...)
			if rapid.Bool().Draw(rt, "begins with a list") { // as informers do
				plan = slices.Concat([]string{"Replace 7 a1 b1 b2"}, plan)
			}
			operations += len(plan)
			var difference string
			if trouble, ok := bubble.Run(t, func(*testing.T) { difference = r.compare(s, plan) }); !ok {
				difference += "\nexpected that nobody waits for ever\nhappened that somebody does:\n" + trouble.Stacks
			}
			if difference != "" {
				rt.Fatalf("with %q, %s", s, difference)
			}
		})
	}
}

// compare returns the first difference, or "".
func (r random) compare(s setup, plan []string) string {
	model, subject := r.model.rig(s), r.subject.rig(s)
	defer model.end()
	defer subject.end()
	var possible filter
	for _, operation := range slices.Concat(plan, []string{"Open", "Close"}, slices.Repeat([]string{"Pop"}, 100)) {
		if operation = possible.next(operation, s, model.pops); operation == "" {
			continue
		}
		if want, got := model.state(operation), subject.state(operation); want != got {
			return fmt.Sprintf("%s\nexpected %s\nhappened %s", operation, want, got)
		}
	}
	return ""
}

// state is what came of an operation, and what the queue says after it.
func (r *rig) state(operation string) string {
	return fmt.Sprintf("%s, HasSynced %s, Done %s", r.do(operation), r.do("HasSynced"), r.do("Done"))
}

// filter leaves out what nobody is to do.
type filter struct {
	settled bool   // what the first batch is
	waiting string // the operation that waits
}

// next is the operation, or what can be done instead, or "".
//
// One consumer alone may pop from a queue that unlocks; elsewhere several may wait, but for the same: which of them
// gets the next delta is not determined. Before the first batch is settled nobody processes without the lock: upstream
// then takes a bookmark for a part of a first batch that comes meanwhile.
func (f *filter) next(operation string, s setup, pops int) string {
	verb, how, _ := strings.Cut(operation, " ")
	switch verb {
	case "Add", "Update", "Delete":
		f.settled = true
	case "Replace":
		f.settled = f.settled || !s.has("transforms") // which may fail
	case "Pop", "PopBatch":
		if pops > 0 && (s.has("unlocks") || pops > 2 || f.waiting != operation) {
			return ""
		}
		f.waiting = operation
		if how == "gated" && (!s.has("unlocks") || !f.settled) {
			return verb
		}
	}
	return operation
}

// operation draws one.
func (r random) operation(t *rapid.T) string {
	verb := rapid.SampledFrom(r.verbs).Draw(t, "verb")
	switch verb {
	case "Add", "Update", "Delete":
		text := r.object(t)
		if verb == "Delete" && rapid.Bool().Draw(t, "tombstone") || r.tombstones && rarely(t) {
			text = "(" + strings.TrimRight(text, "!?") + ")"
		}
		return verb + " " + text
	case "Replace":
		list := rapid.SliceOfN(rapid.Custom(r.object), 0, 5).Draw(t, "list")
		return fmt.Sprint(verb, " ", rapid.IntRange(1, 99).Draw(t, "version"), " ", strings.Join(list, " "))
	case "know":
		for _, key := range []string{"a", "b", "c", "d", "e"} {
			if mark := rapid.SampledFrom([]string{"", "", "7", "8", "-", "!"}).Draw(t, "known"); mark != "" {
				verb += " " + key + mark
			}
		}
	case "Bookmark":
		return fmt.Sprint(verb, " ", rapid.IntRange(1, 99).Draw(t, "version"))
	case "Close":
		if !rarely(t) {
			return "Resync"
		}
	case "Pop", "PopBatch":
		return verb + rapid.SampledFrom([]string{"", "", " failing", " gated"}).Draw(t, "how")
	}
	return verb
}

// object draws one. Few have no key, or are not what a transformer takes.
func (r random) object(t *rapid.T) string {
	text := rapid.SampledFrom(strings.Fields("a1 a2 a3 b1 b2 b3 c1 c2 d1 e1")).Draw(t, "object")
	switch {
	case !rarely(t):
		return text
	case rarely(t):
		return "-1"
	}
	return text + rapid.SampledFrom(strings.Split(r.marks, "")).Draw(t, "mark")
}

func rarely(t *rapid.T) bool { return rapid.IntRange(0, 9).Draw(t, "rarely") == 9 }
