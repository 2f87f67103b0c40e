// Command mine runs what you have written in this chapter's exercises against the API server: a controller whose watch
// is held back has your expectations, your names are those of a set's Processes, and your Claim decides whose a Process
// is.
//
//	go run ./chapters/14-owned-objects/mine
//
// main.go is the table of contents, pieces.go knows what is yours, run.go has what the steps share, and the steps are
// in step1_expectations.go and its neighbours. What they stand on is beside them: memory.go and sets.go for the first,
// shop.go for the second, nursery.go for the third.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log"

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
		fmt.Println("chapters/14-owned-objects/exercises/1-expectations/exercise.go; make hint EX=14.1 helps.")
		return
	}
	log.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	lab.Main(demo(yours, 20*time.Second))
}

// demo has a step for what is written. What does not come in time is missing.
func demo(yours pieces, patience time.Duration) lab.Demo {
	r := run{patience: patience}
	d := lab.Demo{Chapter: "14-owned-objects/mine", Title: yours.String(), Controllers: yours.claim}
	if yours.expectations {
		d.Steps = append(d.Steps, lab.Step{Title: "Expectations", Run: r.expectations,
			Why: "A set is to have three Processes. Its controller has your Expectations, its watch of Processes is held back, and its " +
				"third request fails. Meanwhile somebody edits the set, and each edit leads to a run."})
	}
	if yours.names {
		d.Steps = append(d.Steps, lab.Step{Title: "Names", Run: r.names,
			Why: "Nobody's controller looks after the set shop. Your Next names its Processes, and your Create makes them, with a " +
				"cache that is late, beside a stranger's Process and one that is being deleted."})
	}
	if yours.claim {
		d.Steps = append(d.Steps, lab.Step{Title: "Claim", Run: r.claim,
			Why: "Four Processes: the set's, one whose label somebody has changed, one without a controller, and another set's. Your " +
				"Claim decides for each."})
	}
	return d
}
