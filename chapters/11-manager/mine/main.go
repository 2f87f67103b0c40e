// Command mine runs what you have written in this chapter's exercises against the API server, under upstream's manager:
// your Reconcile sweeps ConfigMaps, your predicate stands before a controller of Ingresses, and your controllers keep
// two notes on one ConfigMap.
//
//	go run ./chapters/11-manager/mine
//
// main.go is the table of contents, pieces.go knows what is yours, run.go makes a manager and waits, and the steps are
// in step1_sweep.go and its neighbours.
package main

import (
	"fmt"
	"os"
	"time"

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
		fmt.Println("chapters/11-manager/exercises/1-result/exercise.go; make hint EX=11.1 helps.")
		return
	}
	log.SetLogger(logr.Discard())
	lab.Main(demo(yours, 20*time.Second))
}

// demo has a step for what is written.
func demo(yours pieces, patience time.Duration) lab.Demo {
	r := &run{yours: yours, patience: patience}
	d := lab.Demo{Chapter: "11-manager/mine", Title: yours.String()}
	if yours.result {
		d.Steps = append(d.Steps, lab.Step{Title: "Sweep", Run: r.sweep,
			Why: "Six ConfigMaps: the time of some is over, one has two seconds left, one waits for that one, one " +
				"is needed " +
				"by the " +
				"Keeper, and one has a moment that nobody can read. Your Reconcile is called for each change."})
	}
	if yours.predicate {
		d.Steps = append(d.Steps, lab.Step{Title: "Say yes and no", Run: r.choose,
			Why: "An Ingress is created, changed in many ways, and deleted. Your predicate stands between its " +
				"informer and a " +
				"controller. What it should say of each event is in your assignment."})
	}
	if yours.notes {
		d.Steps = append(d.Steps, lab.Step{Title: "Keep two notes", Run: r.keep,
			Why: "Your controllers keep the notes entries and size on one ConfigMap, which somebody else changes, " +
				"too. The " +
				"API server " +
				"knows who has written what: it is in metadata.managedFields."})
	}
	return d
}
