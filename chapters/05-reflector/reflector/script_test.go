package reflector_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

// What the fault proxy can't play, because it happens before a request reaches a server, or is an answer that only some
// requests get.
const (
	refused      faults.Kind = "refused"        // nobody listens on the port
	empty        faults.Kind = "closed at once" // a watch that ends within a second, without an event
	tooLarge     faults.Kind = "too large"      // the watch cache has not seen the version yet
	noInitial    faults.Kind = "no streaming"   // a server that knows no streaming lists
	forbidden    faults.Kind = "forbidden"
	oldGone      faults.Kind = "old gone" // 410 as servers before 1.18 said it: the reason is Gone
	unclearEvent faults.Kind = "unclear"  // an ERROR event whose object is no Status
)

// inFront are answers that are given in front of the proxy, with the kinds of request that get them.
var inFront = map[faults.Kind]func(kind string) bool{
	refused:      func(string) bool { return true },
	empty:        func(kind string) bool { return kind != listing },
	tooLarge:     func(kind string) bool { return kind != watching },
	noInitial:    func(kind string) bool { return kind == streaming },
	forbidden:    func(string) bool { return true },
	oldGone:      func(string) bool { return true },
	unclearEvent: func(kind string) bool { return kind != listing },
}

// script is what happens to the n-th request, from 1. Those after the last meet no fault.
type script [][]faults.Fault

// drawn makes a script from a seed: two requests of three meet a fault.
func drawn(seed uint64) script {
	draw := rand.New(rand.NewPCG(seed, 5))
	kinds := []faults.Kind{refused, empty, tooLarge, noInitial, forbidden, oldGone, unclearEvent}
	for _, kind := range faults.Kinds {
		if kind != faults.Stall { // a response that stalls has no next request: a test of its own
			kinds = append(kinds, kind)
		}
	}
	s := make(script, 6+draw.IntN(10))
	for i := range s {
		if draw.IntN(3) == 0 {
			continue
		}
		f := faults.Fault{Kind: kinds[draw.IntN(len(kinds))]}
		switch f.Kind {
		case faults.Cut, faults.Truncate, faults.Expired, faults.ErrorEvent, faults.Close:
			f.Event = 1 + draw.IntN(5)
		case faults.Delay:
			f.Event, f.After = draw.IntN(3), time.Duration(1+draw.IntN(3000))*time.Millisecond
		case faults.TooMany:
			f.After = time.Duration(draw.IntN(90)) * time.Second
		case faults.Away:
			f.Count = 1 + draw.IntN(2)
		}
		s[i] = []faults.Fault{f}
		if f.Kind == faults.Delay || f.Kind == faults.DropBookmarks {
			// The response has to end some time, or what follows in the script never gets its turn.
			s[i] = append(s[i], faults.Fault{Kind: faults.Close, Event: max(f.Event, 1) + draw.IntN(4)})
		}
	}
	// The first watch that nothing else ends has to end, too.
	for i := range s {
		if len(s[i]) == 0 {
			s[i] = []faults.Fault{{Kind: faults.Close, Event: 1 + draw.IntN(6)}}
		}
	}
	return s
}

// String is the script as it is told when a test fails.
func (s script) String() string {
	var lines []string
	for i, fs := range s {
		for _, f := range fs {
			f.Request = i + 1
			lines = append(lines, f.String())
		}
	}
	return strings.Join(lines, "; ")
}

// answer is what a request gets in front of the proxy.
func answer(kind faults.Kind, r *http.Request) (*http.Response, error) {
	status := func(code int, reason, details string) (*http.Response, error) {
		return response(r, code, fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,`+
			`"reason":%q,"message":"an injected fault"%s}`, code, reason, details)), nil
	}
	switch kind {
	case refused:
		return nil, connectionRefused(r)
	case empty:
		return response(r, http.StatusOK, ""), nil
	case tooLarge:
		return status(http.StatusGatewayTimeout, "Timeout",
			`,"details":{"causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}]}`)
	case noInitial:
		return status(http.StatusUnprocessableEntity, "Invalid",
			`,"details":{"causes":[{"reason":"FieldValueForbidden","field":"sendInitialEvents"}]}`)
	case forbidden:
		return status(http.StatusForbidden, "Forbidden", "")
	case oldGone:
		return status(http.StatusGone, "Gone", "")
	default:
		return response(r, http.StatusOK, `{"type":"ERROR","object":{"kind":"ConfigMap","apiVersion":"v1"}}`+"\n"), nil
	}
}
