// Command mine runs what you have written in this chapter's exercises against the API server, under upstream's manager:
// your handler stands between an informer of Pods and a queue, your index finds the Deployments that use a Secret, and
// your Source has a controller look at what something outside has told.
//
//	go run ./chapters/13-watches-and-indexes/mine
//
// main.go is the table of contents, pieces.go knows what is yours, run.go makes a manager and waits, and the steps are
// in step1_map.go and its neighbours.
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
		fmt.Println("chapters/13-watches-and-indexes/exercises/1-map/exercise.go; make hint EX=13.1 helps.")
		return
	}
	log.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	lab.Main(demo(yours, 20*time.Second))
}

// demo has a step for what is written. What does not come in time is missing.
func demo(yours pieces, patience time.Duration) lab.Demo {
	r := run{patience: patience}
	d := lab.Demo{Chapter: "13-watches-and-indexes/mine", Title: yours.String()}
	if yours.handler {
		d.Steps = append(d.Steps, lab.Step{Title: "Map", Run: r.maps,
			Why: "A Pod counts in applications: it is created, named elsewhere, changed and deleted. Your handler is told what an " +
				"informer hears of it, and the table shows the keys that it adds."})
	}
	if yours.index {
		d.Steps = append(d.Steps, lab.Step{Title: "Index", Run: r.index,
			Why: "Three Deployments use Secrets, each in another place. A controller watches the metadata of Secrets, and your " +
				"Users asks your index which Deployments are to be looked at."})
	}
	if yours.source {
		d.Steps = append(d.Steps, lab.Step{Title: "Be told", Run: r.told,
			Why: "Something outside notifies your Source of 100 keys, 10 times each, before the controller has started and again " +
				"while it runs."})
	}
	return d
}
