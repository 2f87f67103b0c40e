package faultserver

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

// meaning is what there is to say of a kind of fault.
type meaning struct {
	does  string // what the proxy does, in the moment in which it does it
	takes string // an example of its argument, if it takes one
	asks  string // what client-go's reflector does about it
	in    string // the chapter that explains it
	as    string // the name under which that chapter plays it, if it is another
}

// The chapters that explain faults.
const (
	rawWatch      = "01-raw-watch"
	listThenWatch = "02-list-then-watch"
	reflector     = "05-reflector"
)

// startsOver is when a broken watch costs more than a watch.
const startsOver = "In the initial state, and at the first event of a watch younger than a second, it begins again."

// fallsBack is what a reflector does where the first request was refused.
const fallsBack = "Where it was a streaming list, it sends a list at once."

// meanings has an entry for each kind.
var meanings = map[faults.Kind]meaning{
	faults.Cut: {in: listThenWatch, does: "half of it is sent, then the connection breaks",
		asks: "It watches on from the last version that it saw, and the event comes again. " + startsOver},
	faults.Truncate: {in: rawWatch, as: "cut", does: "half of it is sent, then the response ends in good order",
		asks: "It watches on from the last version that it saw: half an event is none. " + startsOver},
	faults.Stall: {in: listThenWatch, does: "nothing more comes, and the connection stays open",
		asks: "It notices nothing before the connection breaks. The proxy answers its pings, if it sends any."},
	faults.Delay: {in: reflector, does: "it is held back", takes: "500ms", asks: "It waits."},
	faults.Gone: {in: listThenWatch, does: "status 410 in place of an answer",
		asks: "It asks for all objects again: the version that it knows is too old."},
	faults.Expired: {in: rawWatch, does: "an ERROR event of code 410 takes its place, and the watch ends",
		asks: "It asks for all objects again: the version that it knows is too old."},
	faults.TooMany: {in: listThenWatch, does: "status 429 with Retry-After in place of an answer", takes: "2s",
		asks: "It asks for the same again. The REST client below it waits as long as Retry-After says."},
	faults.InternalError: {in: reflector, does: "status 500 in place of an answer",
		asks: "It waits, and asks for all objects again. " + fallsBack},
	faults.ErrorEvent: {in: reflector, does: "an ERROR event of code 500 takes its place, and the watch ends",
		asks: "It waits, and asks for all objects again."},
	faults.Unavailable: {in: reflector, does: "status 503 in place of an answer",
		asks: "It waits, and asks for all objects again. " + fallsBack},
	faults.DropBookmarks: {in: listThenWatch, does: "bookmarks are left out, but for the one that ends the initial state",
		asks: "Nothing, until the watch ends: the version that it goes on from may be too old by then."},
	faults.Close: {in: listThenWatch, does: "the watch ends in good order right after it",
		asks: "It watches on from the last version that it saw."},
	faults.Away: {in: reflector, does: "the connection breaks without an answer", takes: "3",
		asks: "The REST client below it sends the same again, ten times, a second apart. A watch that has no answer " +
			"then is a very short one: it asks for all objects again."},
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
