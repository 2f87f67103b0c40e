package scenario

import "github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"

// texts say what the fault proxy does.
var texts = map[faults.Kind]string{
	faults.Cut:           "half of the event, then the connection breaks",
	faults.Truncate:      "half of the event, then the end in good order",
	faults.Stall:         "no byte from here on, and no end",
	faults.Delay:         "the event is held back",
	faults.Gone:          "status 410",
	faults.Expired:       "in a response with status 200, an ERROR event: 410 Expired",
	faults.TooMany:       "status 429, Retry-After: 3",
	faults.InternalError: "status 500",
	faults.ErrorEvent:    "in a response with status 200, an ERROR event: 500",
	faults.Unavailable:   "status 503",
	faults.DropBookmarks: "no bookmarks but the one that ends the initial state",
	faults.Close:         "the event, then the end in good order",
	faults.Away:          "the connection ends without an answer",
}
