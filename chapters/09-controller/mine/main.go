// Command mine runs what you have written, in this chapter's exercises and in those of chapters 04 to 08, as pieces of
// this chapter's controller, against the API server. This is where your program has grown to: it mirrors ConfigMaps,
// repairs them, and begins again.
//
//	go run ./chapters/09-controller/mine
//
// main.go is the table of contents, pieces.go knows what is yours. controller.go puts it together, from informer.go,
// store.go, reflector.go and queue.go. run.go has what the steps share, and the steps are in step1_begin.go and its
// neighbours.
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
		fmt.Println("Exercises of chapters 04 to 09 can be pieces here, and none is yours yet.")
		if text := yours.standsIn(); text != "" {
			fmt.Println(text)
		}
		fmt.Println("Begin with chapters/09-controller/exercises/1-handlers/exercise.go; make hint EX=09.1 helps.")
		return
	}
	lab.Main(demo(yours, 20*time.Second))
}

// demo is one story in three steps, which has patience.
func demo(yours pieces, patience time.Duration) lab.Demo {
	r := &run{yours: yours, patience: patience}
	return lab.Demo{
		Chapter: "09-controller/mine",
		Title:   yours.String(),
		Steps: []lab.Step{
			{Title: "Mirror", Run: r.part(r.begin),
				Why: "home, the demo's own namespace, has two sources. north and south ask for mirrors. Your controller begins."},
			{Title: "Repair", Run: r.part(r.damage),
				Why: "Somebody changes a mirror, somebody deletes another, and somebody stands where a third should, for a while."},
			{Title: "Begin again", Run: r.part(r.away),
				Why: "Your controller is stopped. A source is deleted, another one is created, south asks no more. Then it " +
					"begins again."},
		},
	}
}
