package informertest

import (
	"testing"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) {
	// The second handler sleeps for 27 years of virtual time in a bubble.
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1]
	testkit.Main(m)
}

// TestUpstream shows that client-go's own informer passes.
func TestUpstream(t *testing.T) { Run(t, cache.NewSharedIndexInformerWithOptions) }
