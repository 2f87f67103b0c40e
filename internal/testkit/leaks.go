package testkit

import (
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// patience is how long a goroutine may take to end. On a busy machine upstream's take seconds when a stop comes early:
// controller-runtime's manager, for one, stops its runnables in goroutines that nobody waits for
// (pkg/manager/internal.go:561, pkg/manager/runnable_group.go:374).
const patience = 20 * time.Second

// endless are upstream's goroutines that a stop does not end if it comes before their caches have synced: they wait
// for that alone, and for no context.
var endless = []goleak.Option{
	// controller-runtime v0.25.2, pkg/cache/multi_namespace_cache.go:335 and 355.
	goleak.IgnoreAnyFunction("sigs.k8s.io/controller-runtime/pkg/cache.newMultiNamespaceInformer.func1"),
	goleak.IgnoreAnyFunction("sigs.k8s.io/controller-runtime/pkg/cache.newMultiNamespaceInformerHandlerRegistration.func1"),
}

// Main runs the tests of a package and fails if goroutines are left at the end. Call it from TestMain.
func Main(m *testing.M) {
	os.Exit(Settle(m.Run()))
}

// Settle returns the exit code of a binary whose tests have ended with code: 1 if they passed and goroutines are left,
// which it names. Of tests that failed nobody asks what else is wrong.
func Settle(code int) int {
	if code != 0 {
		return code
	}
	if err := leaked(patience); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// leaked lists the goroutines that are left when all had time to end. It returns as soon as there are none.
func leaked(within time.Duration) error {
	for began := time.Now(); ; {
		// One call looks for a second and a half.
		err := goleak.Find(endless...)
		if err == nil || time.Since(began) > within {
			return err
		}
	}
}
