package fifotest

import (
	"testing"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) {
	// The second handler sleeps for 27 years of virtual time in a bubble.
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1]
	testkit.Main(m)
}

// TestUpstreamsDeltaFIFO and the next show that client-go's own queues pass.
func TestUpstreamsDeltaFIFO(t *testing.T) { Delta(t, upstreamDelta) }

func TestUpstreamsRealFIFO(t *testing.T) { Real(t, upstreamReal) }
