// Command mine runs what you have written in this chapter's exercises against the API server: your Scheme says which
// kind a Process is, your Finder where its objects are, and your DeepCopy copies what comes back. The chapter's own
// pieces stand in for what is not written yet.
//
//	go run ./chapters/10-custom-resource/mine
//
// main.go is the table of contents, pieces.go knows what is yours, way.go puts Scheme and Finder behind one way from a
// type to the API server, and the steps are in step1_way.go and its neighbours.
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
		fmt.Println("chapters/10-custom-resource/exercises/1-deepcopy/exercise.go; make hint EX=10.1 helps.")
		return
	}
	lab.Main(demo(yours))
}

// demo has a step for what is written.
func demo(yours pieces) lab.Demo {
	d := lab.Demo{Chapter: "10-custom-resource/mine", Title: yours.String()}
	if yours.scheme || yours.finder {
		d.Steps = append(d.Steps, lab.Step{Title: "From a type to an object on the API server", Run: yours.way,
			Why: "The Scheme says which kind a Go type is, the Finder where the API server has its objects. Each path is compared with " +
				"the chapter's, and read."})
	}
	if yours.scheme {
		d.Steps = append(d.Steps, lab.Step{Title: "Your defaults", Run: yours.defaults,
			Why: "A CRD has defaults, too. The same Processes are filled in by the API server and by your Scheme."})
	}
	if yours.copy {
		d.Steps = append(d.Steps, lab.Step{Title: "Your copy", Run: yours.copies,
			Why: "A Process comes back with all that the API server has added. Your copy is compared with the generated one, and then " +
				"written to."})
	}
	return d
}
