// Command mine runs what you have written in this chapter's exercises against the API server: your list in pages while
// the server forgets, your delays between watches that fail, and your state machine, which drives real requests under
// faults with your list and your delays where they are written, and the book's where they are not.
//
//	go run ./chapters/02-list-then-watch/mine
//
// main.go is the table of contents, pieces.go knows what is yours,
// and the steps are in step1_list.go and its neighbours.
package main

import (
	"fmt"
	"os"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

func main() {
	yours, err := written()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if yours.none() {
		fmt.Println("All three exercises are still stubs, so nothing here is yours yet. Begin with")
		fmt.Println("chapters/02-list-then-watch/exercises/1-resume/exercise.go; make hint EX=02.1 helps.")
		return
	}
	lab.Main(demo(yours))
}

// demo has a step for each piece that is written.
func demo(yours pieces) lab.Demo {
	d := lab.Demo{Chapter: "02-list-then-watch/mine", Title: yours.String()}
	if yours.list {
		d.Steps = append(d.Steps, lab.Step{Title: "Your list, in pages", Run: listInPages,
			Why: "Five objects, pages of two, and a server that forgets the list before its last page."})
	}
	if yours.delays {
		d.Steps = append(d.Steps, lab.Step{Title: "Your delays", Run: delays,
			Why: "Three watches that fail one after the other, one that is told to come back later, then two that " +
				"the server ends in good order. Your Keep decides when the next one is opened."})
	}
	if yours.machine {
		d.Steps = append(d.Steps, lab.Step{Title: "Your state machine, under faults", Run: yours.underFire,
			Why: "A writer changes objects, " +
				"a proxy breaks the connection, and your Client says which request comes next."})
	}
	return d
}
