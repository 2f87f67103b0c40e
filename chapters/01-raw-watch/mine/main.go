// Command mine runs what you have written in this chapter's exercises against the API server: your Decoder reads what
// the server sends, your Follow owns a watch from its beginning to its end, and your View keeps a selection. Its events
// come by your Follow where that is written, else by your Decoder, and else by the book's client.
//
//	go run ./chapters/01-raw-watch/mine
//
// Each step begins with stage 1 of its exercise, and stops where a stage is still to be written.
//
// main.go is the table of contents, pieces.go knows what is yours, stages.go says what is still to be written,
// collection.go is what the steps write to, events.go is where the view's events come from, and the steps are in
// step1_decoder.go and its neighbours.
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
		fmt.Println("All three exercises are still stubs, so nothing here is yours yet. Begin with stage 1 of")
		fmt.Println("chapters/01-raw-watch/exercises/1-decode/exercise.go; make hint EX=01.1 helps.")
		return
	}
	lab.Main(demo(yours))
}

// demo has a step for each piece that is written.
func demo(yours pieces) lab.Demo {
	d := lab.Demo{Chapter: "01-raw-watch/mine", Title: yours.String()}
	if yours.decoder {
		d.Steps = append(d.Steps, lab.Step{Title: "Your Decoder, on the server's bytes", Run: decodes,
			Why: "Stage 1: after each write your Next has to return the event of it, while the response is open. " +
				"Stages 2 and 3: three responses end, each in another way."})
	}
	if yours.follow {
		d.Steps = append(d.Steps, lab.Step{Title: "Your Follow, from beginning to end", Run: follows,
			Why: "Stage 1: the event of each write, and a watch that the server ends. Stage 2: one that it refuses. " +
				"Stage 3: one that is ended from this side. Each body has to be closed, and they are counted."})
	}
	if yours.view {
		d.Steps = append(d.Steps, lab.Step{Title: "Your View, of label drink=tea", Run: yours.views,
			Why: "Stage 1: after each write the next event goes into your View, which is compared with a fresh LIST of " +
				"the selection. Stage 2: its resourceVersion. Stage 3: left, or gone. The events come by " +
				yours.reader() + "."})
	}
	return d
}
