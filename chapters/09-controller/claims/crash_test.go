package claims

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"testing"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest/crash"
)

var full = flag.Bool("full", false, "TestCrashes: 100 seeds on both controllers, and not 10 on one or the other")

// killed are the controllers that are killed: two that are right, and two that TestCrashesShow is about.
var killed = map[string]mirrortest.Controller{"client-go": of(mirror.ClientGo), "the book's": of(mirror.Book),
	"knows what it has made": of(knowing), "takes what it needs": of(taking)}

// of is a controller with these parts, which tells nobody of its failures.
func of(parts func() mirror.Parts) mirrortest.Controller {
	return func(ctx context.Context, config *rest.Config, client *http.Client, group string) error {
		set, err := kubernetes.NewForConfigAndClient(config, client)
		if err != nil {
			return err
		}
		c, err := mirror.New(set, mirror.Options{Group: group, Parts: parts(), Report: func(mirror.Key, error) {}})
		if err != nil {
			return err
		}
		return c.Run(ctx)
	}
}

// A controller is killed with SIGKILL at one of its requests, before the server has got it or after it has answered,
// while somebody changes sources, mirrors and what stands in their places. The next one knows nothing of it. Whatever
// has happened and however often, the world becomes what an oracle computes from what there is: the state, and not its
// history, decides. Nothing is touched that is no mirror, and when all is right nothing is written.
//
// covers: S0-12
func TestCrashes(t *testing.T) {
	seeds, names := 10, []string{"client-go", "the book's"}
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
