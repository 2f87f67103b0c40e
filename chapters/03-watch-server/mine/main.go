// Command mine runs what you have written in this chapter's exercises beside the API server: your window remembers its
// changes, your loop sends its events to chapter 01's client, and clients of your store and of the real one count cups.
//
//	go run ./chapters/03-watch-server/mine
//
// main.go is the table of contents, pieces.go knows what is yours, teas.go makes the changes, and the steps are in
// step1_window.go and its neighbours.
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
		fmt.Println("chapters/03-watch-server/exercises/1-history/exercise.go; make hint EX=03.1 helps.")
		return
	}
	lab.Main(demo(yours))
}

// demo has a step for each piece that is written.
func demo(yours pieces) lab.Demo {
	d := lab.Demo{Chapter: "03-watch-server/mine", Title: yours.String()}
	if yours.window {
		d.Steps = append(d.Steps, lab.Step{Title: "Your window", Run: remember,
			Why: "Six changes of teas on the API server, and other writes in between. Your Window has room for four. " +
				"A client comes back with a version, and both are asked what came after."})
	}
	if yours.loop {
		d.Steps = append(d.Steps, lab.Step{Title: "Your loop, behind HTTP", Run: stream,
			Why: "Events of the API server go through your Serve to chapter 01's client: one by one, then many " +
				"that are waiting together, and then the client goes."})
	}
	if yours.store {
		d.Steps = append(d.Steps, lab.Step{Title: "Your store, and your client of two stores", Run: count,
			Why: "Clients add cups to a pot at the same time, with your Change: first in your Store, then on the API " +
				"server."})
	}
	return d
}
