package claims

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest/crash"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/managed"
)

var full = flag.Bool("full", false, "TestCrashes: 100 seeds on both managers, and not 10 on one or the other")

// killed are the controllers that TestCrashes kills.
var killed = map[string]mirrortest.Controller{"upstream": mirroring(managed.Upstream),
	"the book's": mirroring(managed.Book)}

// mirroring is a manager on these parts, with the mirror controller in it.
func mirroring(parts func() managed.Parts) mirrortest.Controller {
	return func(ctx context.Context, access *rest.Config, over *http.Client, group string) error {
		m, err := managed.New(access, over, managed.Options{Group: group, Parts: parts()})
		if err != nil {
			return err
		}
		return m.Start(ctx)
	}
}

// Chapter 09's test, with a manager in each process: it is killed with SIGKILL at one of its requests, the questions
// for resources that a manager begins with among them, while somebody writes. The last one makes all right, touches
// nothing that is no mirror, and then writes nothing.
func TestCrashes(t *testing.T) {
	seeds, names := 10, []string{"upstream", "the book's"}
	if *full {
		seeds = 100
	}
	for seed := range seeds {
		for i, name := range names {
			if !*full && i != seed%len(names) {
				continue
			}
			t.Run(fmt.Sprintf("seed %d, %s", seed, name), func(t *testing.T) { crash.Test(t, uint64(seed), name) })
		}
	}
}
