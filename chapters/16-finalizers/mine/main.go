// Command mine runs what you have written in this chapter's exercises in controllers with real processes: your
// Protocol stands before a kubelet, your Cleanup stops a process and keeps its log, and your Run deletes the children
// of a set in order.
//
//	go run ./chapters/16-finalizers/mine
//
// main.go is the table of contents, pieces.go knows what is yours, place.go has a machine and its controllers, and the
// steps are in step1_finalizer.go and its neighbours. What puts your code in the place of the chapter's is beside them:
// protocol.go, cleanup.go and hierarchy.go.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

func main() {
	machine.RunIfShim()
	yours, err := written()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if yours.none() {
		fmt.Println("All three exercises are still stubs, so nothing here is yours yet. Begin with")
		fmt.Println("chapters/16-finalizers/exercises/1-finalizer/exercise.go; make hint EX=16.1 helps.")
		return
	}
	log.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	lab.Main(demo(yours, 20*time.Second))
}

// demo has a step for what is written. What does not come in time is missing.
func demo(yours pieces, patience time.Duration) lab.Demo {
	r := run{patience: patience}
	d := lab.Demo{Chapter: "16-finalizers/mine", Title: yours.String(), Controllers: yours.hierarchy}
	if yours.finalizer {
		d.Steps = append(d.Steps, lab.Step{Title: "Finalizer", Run: r.finalizer,
			Why: "Your Protocol stands before a kubelet. The object web has somebody else's finalizer already, and gets a third " +
				"one while yours is written. Then it is deleted."})
	}
	if yours.cleanup {
		d.Steps = append(d.Steps, lab.Step{Title: "Clean-up", Run: r.cleanup,
			Why: "Your Cleanup has what is left of web, which writes a last line when it is asked to stop. The archive has no room at " +
				"first, the folder goes in two attempts, and deaf does not want to end."})
	}
	if yours.hierarchy {
		d.Steps = append(d.Steps, lab.Step{Title: "Hierarchy", Run: r.hierarchy,
			Why: "A set of three Processes is deleted, beside one that is nobody's child, and your Run says who goes next."})
	}
	return d
}
