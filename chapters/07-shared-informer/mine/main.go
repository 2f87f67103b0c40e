// Command mine runs what you have written, in this chapter's exercises and in those of earlier ones, as pieces of the
// book's informer, against the API server: two handlers, one of them slow, hear of ConfigMaps that change, and of some
// that change while nobody watches. In the end the store and what each handler knows are compared with a fresh LIST.
//
//	go run ./chapters/07-shared-informer/mine
//
// main.go is the table of contents, pieces.go knows what is yours, store.go, queue.go and lives.go put it where the
// informer expects it, run.go has what the steps share, and the steps are in step1_begin.go and its neighbours.
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
		fmt.Println("07.1, 07.3, 04.1, 06.1 and 06.3 can be pieces of an informer, and are stubs: nothing here is yours yet.")
		fmt.Println("Begin with chapters/07-shared-informer/exercises/1-buffer/exercise.go; make hint EX=07.1 helps.")
		return
	}
	lab.Main(demo(yours, 20*time.Second))
}

// demo is one story in three steps, each of which takes milliseconds, and has patience.
func demo(yours pieces, patience time.Duration) lab.Demo {
	r := newRun(yours, patience)
	return lab.Demo{
		Chapter: "07-shared-informer/mine",
		Title:   yours.String(),
		Steps: []lab.Step{
			{Title: "Begin, and change something", Run: r.part(r.begin),
				Why: "The informer is the book's, and some of its pieces are yours. Two handlers hear of three " +
					"objects: fast returns at once, and slow not from its first call. Then there is news."},
			{Title: "Change what nobody sees", Run: r.part(r.miss),
				Why: "The watch expires. Before there is another, tea is deleted, and bread is deleted and created " +
					"again: a new list has to tell."},
			{Title: "Come to an end", Run: r.part(r.end),
				Why: "slow goes on. In the end all have to know what a fresh LIST says."},
		},
	}
}
