package faultserver

import (
	"fmt"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

// meaning is what there is to say of a kind of fault.
type meaning struct {
	does  string // what the proxy does, in the moment in which it does it
	takes string // an example of its argument, if it takes one
	asks  string // what client-go's reflector does about it
}

// startsOver is when a broken watch costs more than a watch.
const startsOver = "In the initial state, and at the first event of a watch younger than a second, it begins again."

// fallsBack is what a reflector does where the first request was refused.
const fallsBack = "Where it was a streaming list, it sends a list at once."

// meanings has an entry for each kind.
var meanings = map[faults.Kind]meaning{
	faults.Cut: {does: "half of it is sent, then the connection breaks",
		asks: "It watches on from the last version that it saw, and the event comes again. " + startsOver},
	faults.Truncate: {does: "half of it is sent, then the response ends in good order",
		asks: "It watches on from the last version that it saw: half an event is none. " + startsOver},
	faults.Stall: {does: "nothing more comes, and the connection stays open",
		asks: "It notices nothing. The proxy answers its pings, if it sends any."},
	faults.Delay: {does: "it is held back", takes: "500ms", asks: "It waits."},
	faults.Gone: {does: "status 410 in place of an answer",
		asks: "It asks for all objects again: the version that it knows is too old."},
	faults.Expired: {does: "an ERROR event of code 410 takes its place, and the watch ends",
		asks: "It asks for all objects again: the version that it knows is too old."},
	faults.TooMany: {does: "status 429 with Retry-After in place of an answer", takes: "2s",
		asks: "It asks for the same again. The REST client below it waits as long as Retry-After says."},
	faults.InternalError: {does: "status 500 in place of an answer",
		asks: "It waits, and asks for all objects again. " + fallsBack},
	faults.ErrorEvent: {does: "an ERROR event of code 500 takes its place, and the watch ends",
		asks: "It waits, and asks for all objects again."},
	faults.Unavailable: {does: "status 503 in place of an answer",
		asks: "It waits, and asks for all objects again. " + fallsBack},
	faults.DropBookmarks: {does: "bookmarks are left out, but for the one that ends the initial state",
		asks: "Nothing, until the watch ends: the version that it goes on from may be too old by then."},
	faults.Close: {does: "the watch ends in good order right after it",
		asks: "It watches on from the last version that it saw."},
	faults.Away: {does: "the connection breaks without an answer", takes: "3",
		asks: "It waits longer each time, and asks for all objects again."},
}

// lesson is the chapter whose demo plays every kind of fault to a reflector, under the fault's name.
const lesson = "05-reflector"

// Catalogue lists the faults, a line each.
func Catalogue() string {
	var b strings.Builder
	for _, k := range faults.Kinds {
		m := meanings[k]
		if k == faults.Away {
			m.does += ", for so many requests"
		}
		fmt.Fprintf(&b, "  %-20s %s\n", strings.TrimSpace(string(k)+" "+m.takes), m.does)
	}
	return b.String()
}
