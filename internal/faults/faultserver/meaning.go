package faultserver

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

// meaning is what there is to say of a kind of fault.
type meaning struct {
	does  string // what the proxy does, in the moment in which it does it
	takes string // an example of its argument, if it takes one
	asks  asks   // what client-go's reflector does about it
	in    string // the chapter that explains it
	as    string // the name under which that chapter plays it, if it is another
}

// where is the part of its life in which a request was struck. What a reflector does depends on it.
type where int

const (
	inWatch       where = iota // of a watch, past its initial state if it has one
	inInitial                  // in the initial state of a streaming list
	inYoung                    // as inWatch, within a second, and before any event
	inYoungStream              // as inInitial, within a second, and before any event
	inList
)

// String stands behind the kind of the fault.
func (w where) String() string {
	switch w {
	case inInitial:
		return " in the initial state"
	case inYoung:
		return " within a second, before any event"
	case inYoungStream:
		return " in the initial state, within a second, before any event"
	case inList:
		return " of a list"
	}
	return ""
}

// asks is what a reflector does about a kind of fault, by where it struck.
type asks map[where]string

// everywhere is what it does wherever a fault strikes.
func everywhere(text string) asks {
	a := asks{}
	for w := inWatch; w <= inList; w++ {
		a[w] = text
	}
	return a
}

// broken is what it does when a response ends too early: what it has seen of a watch decides.
func broken(past string) asks {
	return asks{
		inWatch:   past,
		inInitial: "It begins again at once: what has come of an initial state without its end is no state.",
		inYoung: "It waits, and asks for all objects again: a watch that ends within a second, with no event, has " +
			"failed.",
		inYoungStream: "It sends a list at once: a watch that ends within a second, with no event, has failed.",
		inList:        waits,
	}
}

// failed is what it does about an error: in the initial state there is another way to it.
func failed(past, initial, list string) asks {
	return asks{inWatch: past, inInitial: initial, inYoung: past, inYoungStream: initial, inList: list}
}

// What a reflector does after more than one kind of fault.
const (
	waits     = "It waits, and asks for all objects again."
	fallsBack = "It sends a list at once."
	anyState  = "It asks for all objects again at once, without a version."
	tooOld    = "It waits, and asks for all objects again: the version that it knows is too old."
)

// The chapters that explain faults.
const (
	rawWatch      = "01-raw-watch"
	listThenWatch = "02-list-then-watch"
	reflector     = "05-reflector"
)

// meanings has an entry for each kind.
var meanings = map[faults.Kind]meaning{
	faults.Cut: {in: listThenWatch, does: "half of it is sent, then the connection breaks",
		asks: broken("It watches on from the last version that it saw, and the event comes again.")},
	faults.Truncate: {in: rawWatch, as: "cut", does: "half of it is sent, then the response ends in good order",
		asks: broken("It watches on from the last version that it saw: half an event is none.")},
	faults.Stall: {in: listThenWatch, does: "nothing more comes, and the connection stays open",
		asks: everywhere("It notices nothing before the connection breaks. The proxy answers its pings, if it " +
			"sends any.")},
	faults.Delay: {in: reflector, does: "it is held back", takes: "500ms", asks: everywhere("It waits.")},
	faults.Gone: {in: listThenWatch, does: "status 410 in place of an answer",
		asks: failed(tooOld, anyState, anyState)},
	faults.Expired: {in: rawWatch, does: "an ERROR event of code 410 takes its place, and the watch ends",
		asks: failed(tooOld, anyState, "")},
	faults.TooMany: {in: listThenWatch, does: "status 429 with Retry-After in place of an answer", takes: "2s",
		asks: everywhere("It asks for the same again. The REST client below it waits as long as Retry-After says.")},
	faults.InternalError: {in: reflector, does: "status 500 in place of an answer",
		asks: failed(waits, fallsBack, waits)},
	faults.ErrorEvent: {in: reflector, does: "an ERROR event of code 500 takes its place, and the watch ends",
		asks: failed(waits, fallsBack, "")},
	faults.Unavailable: {in: reflector, does: "status 503 in place of an answer",
		asks: failed(waits, fallsBack, waits)},
	faults.DropBookmarks: {in: listThenWatch, does: "bookmarks are left out, but for the one that ends the initial state",
		asks: everywhere("Nothing, until the watch ends: the version that it goes on from may be too old by then.")},
	faults.Close: {in: listThenWatch, does: "the watch ends in good order right after it",
		asks: broken("It watches on from the last version that it saw.")},
	faults.Away: {in: reflector, does: "the connection breaks without an answer", takes: "3",
		asks: everywhere("The REST client below it sends the same again, ten times, a second apart. A watch that has " +
			"no answer then is a very short one: it asks for all objects again.")},
}

// whereStruck is the part of its life in which a request is struck, at the given age.
func whereStruck(r faults.Record, f faults.Fault, age time.Duration) where {
	streams := isTrue(r.Query, "sendInitialEvents")
	initial := streams && r.Synced.IsZero()
	breaks := f.Kind == faults.Cut || f.Kind == faults.Truncate // and leaves the client no event of its own
	empty := breaks && age < time.Second && r.Events == r.Initial
	switch {
	case r.Verb == faults.List:
		return inList
	case initial && empty:
		return inYoungStream
	case initial:
		return inInitial
	case empty:
		return inYoung
	}
	return inWatch
}

// played is the command that plays a kind of fault in the chapter that explains it.
func played(k faults.Kind) string {
	m := meanings[k]
	return fmt.Sprintf("go run ./chapters/%s -fault %s", m.in, cmp.Or(m.as, string(k)))
}

// Catalogue lists the faults, a line each.
func Catalogue() string {
	var b strings.Builder
	for _, k := range faults.Kinds {
		m := meanings[k]
		switch k {
		case faults.Away:
			m.does += ", for so many requests"
		case faults.Stall:
			m.does += " (stall 30s: for so long)"
		}
		fmt.Fprintf(&b, "  %-20s %s\n", strings.TrimSpace(string(k)+" "+m.takes), m.does)
	}
	return b.String()
}
