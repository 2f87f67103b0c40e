package testkit

import (
	"testing"

	"go.uber.org/goleak"
)

// Main runs the tests of a package and fails if goroutines are left at the end. Call it from TestMain.
func Main(m *testing.M) { goleak.VerifyTestMain(m) }
