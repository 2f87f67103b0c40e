// Command mine runs what you have written in this chapter's exercises against the API server: client-go's Reflector
// fills your store and its listers read it, your index of sets answers questions about the same objects, and your
// detector finds out that somebody wrote to one of them.
//
//	go run ./chapters/04-store/mine
//
// main.go is the table of contents, pieces.go knows what is yours, indexer.go puts it behind client-go's interface, and
// the steps are in step1_listers.go and its neighbours.
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
		fmt.Println("chapters/04-store/exercises/1-index/exercise.go; make hint EX=04.1 helps.")
		return
	}
	lab.Main(demo(yours))
}

// demo has a step for each piece that is written.
func demo(yours pieces) lab.Demo {
	d := lab.Demo{Chapter: "04-store/mine", Title: yours.String()}
	if yours.store {
		d.Steps = append(d.Steps, lab.Step{Title: "Your store, under a Reflector and listers", Run: yours.listers,
			Why: "A writer changes ConfigMaps on the API server. client-go's Reflector puts them into your store, by " +
				"which the lister lists a namespace and gets an object. Each answer is compared with the server's."})
	}
	if yours.sets {
		d.Steps = append(d.Steps, lab.Step{Title: "Your index of sets", Run: yours.ingredients,
			Why: "Each ConfigMap is a recipe, and its data has the ingredients: a set of values. Your index says which " +
				"recipes need an ingredient."})
	}
	if yours.detector {
		d.Steps = append(d.Steps, lab.Step{Title: "Your detector", Run: yours.detect,
			Why: "Two parts of a program receive a ConfigMap, and one of them writes to it."})
	}
	return d
}
