// Command mine runs what you have written in this chapter's exercises inside the chapter's kubelet, with real
// processes: your Map knows which run an object has, your Operations bring a run what the world has said, and your
// Starts start.
//
//	go run ./chapters/15-external-world/mine
//
// main.go is the table of contents, pieces.go knows what is yours, place.go has a machine and a kubelet, and the steps
// are in step1_statemap.go and its neighbours. What puts your code in the place of the kubelet's is beside them:
// states.go, operations.go and starts.go.
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
		fmt.Println("chapters/15-external-world/exercises/1-statemap/exercise.go; make hint EX=15.1 helps.")
		return
	}
	log.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	lab.Main(demo(yours, 20*time.Second))
}

// demo has a step for what is written. What does not come in time is missing.
func demo(yours pieces, patience time.Duration) lab.Demo {
	r := run{patience: patience}
	d := lab.Demo{Chapter: "15-external-world/mine", Title: yours.String()}
	if yours.statemap {
		d.Steps = append(d.Steps, lab.Step{Title: "State map", Run: r.statemap,
			Why: "The kubelet keeps what it knows in your Map. The process of the object web is killed, started anew, and then " +
				"the object is deleted."})
	}
	if yours.operations {
		d.Steps = append(d.Steps, lab.Step{Title: "Operations", Run: r.operations,
			Why: "A command ends with 3, and that is told by your Operations. Then somebody says that attempt 1 was lost, when " +
				"attempt 2 runs already."})
	}
	if yours.starts {
		d.Steps = append(d.Steps, lab.Step{Title: "Starts", Run: r.starts,
			Why: "Six Processes are created at once, starts take long, and your Starts has room for two. One of those that wait is " +
				"deleted."})
	}
	return d
}
