// Command mine runs what you have written, in this chapter's exercises and in one of chapter 07, as pieces of the
// book's queue, against the API server: an informer adds keys, three workers process them, and one key fails. In the
// end what the last run of each key saw is compared with a fresh LIST.
//
//	go run ./chapters/08-workqueue/mine
//
// main.go is the table of contents, pieces.go knows what is yours, queue.go puts it where the queue expects it, and
// waiting.go stands around a queue that does not wait yet. workers.go are the three who work, writer.go changes
// objects, run.go has what the steps share, and the steps are in step1_busy.go and its neighbours.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

func main() {
	yours, err := written()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if yours.none() {
		fmt.Println("08.1, 08.2, 08.3 and 07.1 can be pieces here, and are stubs: nothing here is yours yet.")
		fmt.Println("Begin with chapters/08-workqueue/exercises/1-two-sets/exercise.go; make hint EX=08.1 helps.")
		return
	}
	lab.Main(demo(yours, 20*time.Second))
}

// demo is one story in three steps, the second of which takes a second, and has patience.
func demo(yours pieces, patience time.Duration) lab.Demo {
	r := newRun(yours, patience)
	return lab.Demo{
		Chapter: "08-workqueue/mine",
		Title:   yours.String(),
		Steps: []lab.Step{
			{Title: "Change what is being processed", Run: r.part(r.busy),
				Why: "The informer is the book's. Its handler adds a key for whatever it hears, and three workers " +
					"process what they get. Two of them get stuck, and their objects change many times."},
			{Title: "Fail, and wait", Run: r.part(r.fail),
				Why: "cake fails four times before it succeeds. Meanwhile tea is to be looked at again in an hour, and " +
					"so is bread: but then sooner."},
			{Title: "Come to an end", Run: r.part(r.drain),
				Why: "A worker is stuck with soup, which changes once more. The queue shuts down: who waits for that " +
					"change, and until when?"},
		},
	}
}
