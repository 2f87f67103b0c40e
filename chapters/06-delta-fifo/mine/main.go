// Command mine runs what you have written in this chapter's exercises against the API server: client-go's Reflector
// writes into a queue with your pieces, a consumer pops from it into a store, and in the end the store is compared with
// a fresh LIST. While the consumer is busy objects change, and while the Reflector is stopped some are deleted.
//
//	go run ./chapters/06-delta-fifo/mine
//
// main.go is the table of contents, pieces.go knows what is yours, queues.go puts it behind one interface, kitchen.go
// has the server and the Reflector, consumer.go pops, and the steps are in step1_gone.go and its neighbours.
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
		fmt.Println("chapters/06-delta-fifo/exercises/1-gone/exercise.go; make hint EX=06.1 helps.")
		return
	}
	lab.Main(demo(yours))
}

// demo has a step for each piece that is written.
func demo(yours pieces) lab.Demo {
	d := lab.Demo{Chapter: "06-delta-fifo/mine", Title: yours.String()}
	if yours.tombstones {
		d.Steps = append(d.Steps, lab.Step{Title: "Your tombstones, in a RealFIFO", Run: yours.missed,
			Why: "The queue is the book's RealFIFO as informers had it until 1.35: it is given the store, and asks you " +
				"what is gone when a new list comes. Two objects are deleted while no Reflector runs: one is in the " +
				"store, and one still waits in the queue."})
	}
	if yours.deltas {
		d.Steps = append(d.Steps, lab.Step{Title: "Your queue of deltas by key", Run: yours.byKey,
			Why: "The consumer is busy while objects change and a resync comes. One deletion is told twice: by the " +
				"watch, and by the list of the next Reflector. What is gone is found by " + yours.whose() + "."})
	}
	if yours.batches {
		d.Steps = append(d.Steps, lab.Step{Title: "Your batches", Run: yours.inBatches,
			Why: "Three deltas make a full batch. The first change comes while the first list is processed. " +
				"What is gone is found by " + yours.whose() + "."})
	}
	return d
}
