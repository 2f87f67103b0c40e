package testkit

import (
	"testing"

	"go.uber.org/goleak"
)

// Main runs the tests of a package and fails if goroutines are left at the end. Call it from TestMain.
func Main(m *testing.M) { goleak.VerifyTestMain(m) }

// NoLeaks fails the test if goroutines are left that were not there at this call. It looks after the cleanups
// registered later than itself, so call it first. Close servers and idle connections in cleanups.
func NoLeaks(t testing.TB) {
	t.Helper()
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() {
		if err := goleak.Find(before); err != nil {
			t.Errorf("goroutines are left: %v", err)
		}
	})
}
