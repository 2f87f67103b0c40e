// Command mine runs what you have written in this chapter's exercises on the API server: your error policy, your
// versions and your reading of the initial events, in the place of the reflector's own.
//
//	go run ./chapters/05-reflector/mine
//
// main.go is the table of contents, pieces.go knows what is yours, teas.go is the collection on the API server,
// step1_faults.go plays what goes wrong, and beside.go asks the book's pieces the same as yours.
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
		fmt.Println("chapters/05-reflector/exercises/1-policy/exercise.go; make hint EX=05.1 helps.")
		return
	}
	lab.Main(demo(yours))
}

// demo has one step: a reflector is not taken apart while it runs.
func demo(yours pieces) lab.Demo {
	return lab.Demo{Chapter: "05-reflector/mine", Title: yours.String(), Steps: []lab.Step{{
		Title: "Your pieces in a reflector, under faults", Run: yours.underFaults,
		Why: "A writer changes ConfigMaps, and a proxy breaks what the reflector asks for. The policy decides what comes " +
			"next, the versions go into the requests, and the initial events are read from two streaming lists that " +
			"break and one that does not. The book's pieces hear the same, and have to say the same.",
	}}}
}
