package managed_test

import (
	"context"
	"net/http"
	"testing"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/managed"
)

// benched are two programs that make the same decisions: chapter 09's, which is written by hand on client-go's informer
// and queue, and this one.
var benched = []struct {
	impl       string
	controller mirrortest.Controller
}{{"ours", byHand}, {"upstream", of(managed.Options{Workers: workers})}}

const workers = 4

func byHand(ctx context.Context, access *rest.Config, over *http.Client, group string) error {
	set, err := kubernetes.NewForConfigAndClient(access, over)
	if err != nil {
		return err
	}
	c, err := mirror.New(set, mirror.Options{Group: group, Parts: mirror.ClientGo(), Workers: workers})
	if err != nil {
		return err
	}
	return c.Run(ctx)
}

// BenchmarkConverge has a source change, and waits until all its mirrors have.
func BenchmarkConverge(b *testing.B) {
	for _, impl := range benched {
		b.Run("impl="+impl.impl, func(b *testing.B) { mirrortest.BenchmarkConverge(b, impl.controller) })
	}
}

// BenchmarkRepair has somebody change a mirror, and waits until it is repaired.
func BenchmarkRepair(b *testing.B) {
	for _, impl := range benched {
		b.Run("impl="+impl.impl, func(b *testing.B) { mirrortest.BenchmarkRepair(b, impl.controller) })
	}
}
