package faults

import (
	"math/rand/v2"
	"time"
)

// seeded is a script drawn from a seed.
type seeded struct {
	watches, lists [][]Fault
}

// Seeded draws a script from a seed: each of the first n requests fails in some way if it is a
// watch, and one in three if it is a list. All the given kinds (all there are, if none is given)
// come up about equally often. The requests after the first n meet no fault, so that a run ends.
func Seeded(seed uint64, n int, kinds ...Kind) Script {
	if len(kinds) == 0 {
		kinds = Kinds
	}
	draw := rand.New(rand.NewPCG(seed, 2))
	s := &seeded{watches: make([][]Fault, n), lists: make([][]Fault, n)}
	var onList []Kind
	for _, k := range kinds {
		if k.onList() {
			onList = append(onList, k)
		}
	}
	watches, lists := deck(draw, kinds), deck(draw, onList)
	for i := range n {
		f := shape(draw, watches())
		s.watches[i] = []Fault{f}
		if !f.Kind.ends() {
			// The response has to end some time, or the faults that follow never get their turn.
			s.watches[i] = append(s.watches[i], Fault{Kind: Close, Event: max(f.Event, 1) + draw.IntN(4)})
		}
		if draw.IntN(3) == 0 && len(onList) > 0 {
			s.lists[i] = []Fault{shape(draw, lists())}
		}
	}
	return s
}

// Faults returns what was drawn for the request.
func (s *seeded) Faults(request int, verb Verb) []Fault {
	from := s.watches
	if verb == List {
		from = s.lists
	}
	if request > len(from) {
		return nil
	}
	return from[request-1]
}

// deck deals the kinds in random order, and shuffles them anew when all are dealt.
func deck(draw *rand.Rand, kinds []Kind) func() Kind {
	var order []int
	return func() Kind {
		if len(order) == 0 {
			order = draw.Perm(len(kinds))
		}
		k := kinds[order[0]]
		order = order[1:]
		return k
	}
}

// shape gives a kind a place in the response and its argument.
func shape(draw *rand.Rand, k Kind) Fault {
	f := Fault{Kind: k}
	switch {
	case k.inStream():
		// Far enough out that a streaming list comes to its end now and then.
		f.Event = 1 + draw.IntN(4)
		if draw.IntN(3) == 0 {
			f.Event += draw.IntN(16)
		}
	case k == Delay:
		f.Event, f.After = draw.IntN(3), time.Duration(1+draw.IntN(5))*time.Millisecond
	case k == TooMany:
		f.After = time.Duration(1+draw.IntN(3)) * time.Second
	case k == Away:
		f.Count = 1 + draw.IntN(3)
	}
	return f
}
