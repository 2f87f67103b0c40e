// Command 02-list-then-watch keeps a local view of a collection equal to the server's, while a fault
// proxy breaks its connections in every way there is.
//
//	go run ./chapters/02-list-then-watch                 plays everything
//	go run ./chapters/02-list-then-watch -list           lists what there is to play
//	go run ./chapters/02-list-then-watch -fault stall    nothing but one kind of fault
//	go run ./chapters/02-list-then-watch -seed 7         another run, and the same one each time
//	go run ./chapters/02-list-then-watch -step           waits for Enter, and asks what will happen
//	go run ./chapters/02-list-then-watch -interactive    stays on, to be driven with kubectl
//
// main.go is the table of contents. step1_gap.go and its neighbours are the steps, faults.go is what -fault plays,
// interactive.go what -interactive runs, and setup.go what they share.
package main

import (
	"flag"
	"slices"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

func main() { lab.Main(demo()) }

// demo is the table of contents.
func demo() lab.Demo {
	t := &tour{}
	return lab.Demo{
		Chapter:     "02-list-then-watch",
		Title:       "a view that is right in the end, whatever happens to the connection",
		PlaysOnBook: true,
		Flags: func(f *flag.FlagSet) {
			f.Uint64Var(&t.seed, "seed", 1, "chooses the writes and the faults: the same seed is the same run")
		},
		Steps: append([]lab.Step{
			{Title: "List, then watch", Run: gap,
				Why: "A list says what is there, a watch what changes. Between the two requests somebody writes. " +
					"Two watches: one from now on, the other from where the list ends.",
				Question: "plum is created between the list and the watches. " +
					"Which of the two watches tells of it: the first, the second, both?",
				Answer: "The second alone. To the first, plum is the past."},
		}, t.underFire(fiveEnds)...),
		Faults:      t.eachKind(),
		FaultFor:    t.scripted,
		FaultText:   "2.3 cut; 3 away 2",
		Interactive: follow,
	}
}

// underFire are the steps that -fault is about: the narrated one with its script, the others with the kinds of faults
// that they draw from, all there are if none is given.
func (t *tour) underFire(script faults.Written, kinds ...faults.Kind) []lab.Step {
	slowly := lab.Step{Title: "Break the connection, slowly", Run: t.narrated(script, kinds),
		Why: "The client now watches through a proxy that breaks the connection by a script. " +
			"A writer changes one object at a time, and waits until all is quiet again.",
		Question: "The script spoils five requests, each in another way. " +
			"After how many of the five does the client have to list again: none, one, all?",
		Answer: "One, the 410. After the others it still knows where its knowledge ends, and watches on from there."}
	if !slices.Equal(script, fiveEnds) {
		slowly.Question, slowly.Answer = "", "" // they are about fiveEnds
	}
	return []lab.Step{
		slowly,
		{Title: "300 requests under fire, for list-then-watch", Run: t.listUnderFire(kinds),
			Why: "The same, with faults drawn from a seed, up to eight objects, and a client that asks for pages of " +
				"three. Delays are added up and not waited for."},
		{Title: "300 requests under fire, for a streaming list", Run: t.streamUnderFire(kinds),
			Why: "The same seed. A client can also begin with a watch that sends the objects first " +
				"(sendInitialEvents=true). client-go's informers do so by default.",
			Question: "Does this client need more LISTs than the one before, fewer, or none?",
			Answer:   "None: a start that fails is a watch that fails. It is paid for with bytes of watches."},
	}
}
