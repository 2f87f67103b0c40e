// Package workqueuetest is what any workqueue has to pass: chapter 08's with its own layers and with client-go's, a
// reader's, and client-go's own, which passes, too. What a workqueue has to do is what the comments on
// workqueue.TypedInterface's implementations promise, and where they leave a question open, what client-go's does.
//
// Reading order: suite.go, sentence.go and the guarantees in sentences/; what is done with a queue (rig.go); and last
// concurrent.go.
package workqueuetest

import (
	"testing"

	"k8s.io/client-go/util/workqueue"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// New makes an empty queue with a limiter, as workqueue.NewTypedRateLimitingQueue does. It is called in a bubble of
// testing/synctest, where the real clock is a virtual one.
type New = func(limiter workqueue.TypedRateLimiter[string]) workqueue.TypedRateLimitingInterface[string]

// Run runs the suite: each guarantee in virtual time with a queue of its own, of which no goroutine may be left in the
// end, and goroutines that do everything at once. Under the race detector it says more.
func Run(t *testing.T, newQueue New) { RunExcept(t, newQueue, nil) }

// RunExcept is Run for a queue that does otherwise in some sentences, on purpose. Each of them comes with the reason,
// and has to be broken: an exception that is none any more fails.
func RunExcept(t *testing.T, newQueue New, reasons map[string]string) {
	t.Run("guarantees", func(t *testing.T) {
		unknown := map[string]bool{}
		for says := range reasons {
			unknown[says] = true
		}
		for _, s := range sentences {
			delete(unknown, s.says)
			t.Run(s.says, func(t *testing.T) {
				testkit.Bubble(t, func(t *testing.T) {
					wrong := s.play(newQueue)
					switch reason := reasons[s.says]; {
					case reason == "" && wrong != "":
						t.Error(wrong)
					case reason != "" && wrong == "":
						t.Errorf("this holds, and is listed as an exception: %s", reason)
					}
				})
			})
		}
		for says := range unknown {
			t.Errorf("an exception that is no sentence: %s", says)
		}
	})
	if !t.Failed() { // the sentences say better what is wrong
		t.Run("concurrent", func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				if wrong := concurrent(newQueue); wrong != "" {
					t.Error(wrong)
				}
			})
		})
	}
}
