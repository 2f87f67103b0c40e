// Command mine runs what you have written in this chapter's exercises in the place of the mechanism's pieces, on the
// API server.
//
//	go run ./chapters/08-workqueue/mine
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	twosets "github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/exercises/1-two-sets"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue"
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
	return stub.Written(root, "08-workqueue", "1-two-sets")
}

// demo says whose the pieces are, and has a step for each. ⟨to be written⟩
func demo(yours bool) lab.Demo {
	sum, whose := workqueue.Sum, "the book's"
	if yours {
		sum, whose = twosets.Sum, "yours"
	}
	add := func(ctx context.Context, l *lab.Lab) error {
		url := l.Server.String() + "/api/v1/namespaces/" + l.Namespace + "/configmaps"
		answer, err := lab.MustSendJSON(ctx, l.Aloud(l.HTTPClient()), http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		l.Conclude("%d requests and bytes, by a sum that is %s", sum([]int{1, len(answer)}), whose)
		return nil
	}
	return lab.Demo{
		Chapter: "08-workqueue/mine",
		Title:   "the sum is " + whose,
		Steps:   []lab.Step{{Title: "Add up what a list costs", Why: "⟨to be written⟩", Run: add}},
	}
}
