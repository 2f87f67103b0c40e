package scripted

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

// Script is what happens to the n-th request, from 1. Those after the last meet no fault.
type Script [][]faults.Fault

// Draw makes a script from a seed: two requests of three meet a fault.
func Draw(seed uint64) Script {
	draw := rand.New(rand.NewPCG(seed, 5))
	kinds := []faults.Kind{refused, empty, tooLarge, noInitial, forbidden, oldGone, unclearEvent}
	for _, kind := range faults.Kinds {
		if kind != faults.Stall { // a response that stalls has no next request: a test of its own
			kinds = append(kinds, kind)
		}
	}
	s := make(Script, 6+draw.IntN(10))
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
func (s Script) String() string {
	var lines []string
	for i, fs := range s {
		for _, f := range fs {
			f.Request = i + 1
			lines = append(lines, f.String())
		}
	}
	return strings.Join(lines, "; ")
}

// Meetings are the faults that each kind of request can meet, as [Played.Met] has them.
func Meetings() (all []string) {
	requests := []string{listing, watching, streaming}
	for kind, gets := range inFront {
		for _, request := range requests {
			if gets(request) {
				all = append(all, meeting(request, kind))
			}
		}
	}
	for _, kind := range faults.Kinds {
		if kind == faults.Stall {
			continue
		}
		for _, request := range requests {
			if request != listing || (faults.Written{{Kind: kind}}).Faults(0, faults.List) != nil {
				all = append(all, meeting(request, kind))
			}
		}
	}
	return all
}

func meeting(request string, kind faults.Kind) string { return fmt.Sprintf("%s: %s", request, kind) }
