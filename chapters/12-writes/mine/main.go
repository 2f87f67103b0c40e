// Command mine runs what you have written in this chapter's exercises against the API server: your Report writes the
// status of a PodDisruptionBudget, your Apply puts a sidecar into a Deployment that others change as well, and your
// Save takes the place of the book's in a reconciler whose program ends between two writes.
//
//	go run ./chapters/12-writes/mine
//
// main.go is the table of contents, pieces.go knows what is yours, run.go has what the steps share, and the steps are
// in step1_report.go and its neighbours.
package main

import (
	"fmt"
	"os"

	"github.com/go-logr/logr"
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
		fmt.Println("chapters/12-writes/exercises/1-status/exercise.go; make hint EX=12.1 helps.")
		return
	}
	log.SetLogger(logr.Discard())
	lab.Main(demo(yours))
}

// demo has a step for what is written.
func demo(yours pieces) lab.Demo {
	d := lab.Demo{Chapter: "12-writes/mine", Title: yours.String()}
	if yours.report {
		d.Steps = append(d.Steps, lab.Step{Title: "Report", Run: report,
			Why: "A PodDisruptionBudget is created, and your Report is called for it: with what is there, with what it has just " +
				"written, and with an object that is older than somebody else's write."})
	}
	if yours.apply {
		d.Steps = append(d.Steps, lab.Step{Title: "Apply", Run: sidecar,
			Why: "A Deployment is created by its owner. Your Apply puts the sidecar in. Then an autoscaler takes the replicas, and " +
				"somebody edits the sidecar's image. Each time your Apply is called again."})
	}
	if yours.save {
		d.Steps = append(d.Steps, lab.Step{Title: "Save", Run: save,
			Why: "The reconciler of step 7 runs with your Save. A program ends after its first write, another one goes on, and " +
				"somebody else writes in between."})
	}
	return d
}
