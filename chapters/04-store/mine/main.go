// Command mine runs what you have written in this chapter's exercises in the place of the mechanism's pieces, on the API server.
//
//	go run ./chapters/04-store/mine
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	first "github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/exercises/1-first"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

func main() {
	yours, err := written()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	lab.Main(demo(yours))
}

// written says whether the exercise is more than its stub.
func written() (bool, error) {
	root, err := controlplane.Root()
	if err != nil {
		return false, err
	}
	return stub.Written(root, "04-store", "1-first")
}

// demo says whose the pieces are, and has a step for each. ⟨to be written⟩
func demo(yours bool) lab.Demo {
	sum, whose := store.Sum, "the book's"
	if yours {
		sum, whose = first.Sum, "yours"
	}
	return lab.Demo{
		Chapter: "04-store/mine",
		Title:   "the sum is " + whose,
		Steps: []lab.Step{{Title: "Add up what a list costs", Why: "⟨to be written⟩", Run: func(ctx context.Context, l *lab.Lab) error {
			url := l.Server.String() + "/api/v1/namespaces/" + l.Namespace + "/configmaps"
			answer, err := lab.MustSendJSON(ctx, l.Aloud(l.HTTPClient()), http.MethodGet, url, nil)
			if err != nil {
				return err
			}
			l.Conclude("%d requests and bytes, by a sum that is %s", sum([]int{1, len(answer)}), whose)
			return nil
		}}},
	}
}
