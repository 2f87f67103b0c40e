// Command 02-list-then-watch keeps a local view of a collection equal to the server's, while a fault
// proxy breaks its connections in every way there is.
//
//	go run ./chapters/02-list-then-watch                 plays everything
//	go run ./chapters/02-list-then-watch -fault stall    nothing but one kind of fault
//	go run ./chapters/02-list-then-watch -seed 7         another run, and the same one each time
//	go run ./chapters/02-list-then-watch -step           waits for Enter between the steps
//	go run ./chapters/02-list-then-watch -interactive    stays on, to be driven with kubectl
//
// main.go is the table of contents; gap.go, narrated.go and fire.go are the steps.
package main

import (
	"flag"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// seed is the flag -seed.
var seed uint64

// What the flag -fault makes of the steps: the script of the narrated one, and the kinds of the others.
var (
	script = faults.Written{
		{Request: 2, Event: 2, Kind: faults.Cut},
		{Request: 3, Kind: faults.Unavailable},
		{Request: 4, Event: 1, Kind: faults.Stall},
		{Request: 5, Event: 2, Kind: faults.Close},
		{Request: 6, Event: 1, Kind: faults.Expired},
	}
	kinds []faults.Kind
)

// underFire are the steps that -fault is about.
var underFire = []lab.Step{
	{Title: "Break the connection, slowly", Run: narrated, Why: "The client now watches through a proxy that " +
		"breaks the connection by a script. A writer changes one object at a time, and waits until all is quiet again."},
	{Title: "More than 200 faults, for list-then-watch", Run: listUnderFire, Why: "The same, with faults drawn " +
		"from a seed, up to eight objects, and lists in pages of three. Delays are added up and not waited for."},
	{Title: "The same seed, for a streaming list", Run: streamUnderFire, Why: "A client can also begin with a watch " +
		"that sends the objects first (sendInitialEvents=true). client-go's informers do so by default."},
}

// steps is the whole demo, unless -fault makes it shorter.
var steps = append([]lab.Step{
	{Title: "List, then watch", Run: gap, Why: "A list says what is there, a watch what changes. Between the " +
		"two requests somebody writes. Two watches: one from now on, the other from where the list ends."},
}, underFire...)

var demo = lab.Demo{
	Chapter: "02-list-then-watch",
	Title:   "a view that is right in the end, whatever happens to the connection",
	Flags: func(f *flag.FlagSet) {
		f.Uint64Var(&seed, "seed", 1, "chooses the writes and the faults: the same seed is the same run")
		f.Func("fault", "only this kind of fault (stall), or a script (\"2.3 cut; 3 away 2\")", onlyFault)
	},
	Pick:        func() []lab.Step { return steps },
	Interactive: follow,
}

// onlyFault is the flag -fault. A script is for the narrated step alone.
func onlyFault(value string) error {
	written, err := faults.Parse(value)
	if err != nil {
		kind, kindErr := faults.ParseKind(value)
		if kindErr != nil {
			return kindErr
		}
		about := string(kind)
		if kind == faults.Delay {
			about += " 300ms" // less than the client's patience
		}
		written, err = faults.Parse("2.2 close; 3.2 " + about + "; 3.3 close")
		kinds = []faults.Kind{kind}
		steps = underFire
	} else {
		steps = underFire[:1]
	}
	script = written
	return err
}

func main() { lab.Main(demo) }
