package testkit

import (
	"testing"

	"pgregory.net/rapid"
)

// Rapid checks a property inside a [Bubble]. rapid.Check asks its T for a deadline, which a bubble's T forbids, so it
// gets one that has none. Several goroutines started by one run of the property must end before it returns: time does
// not pass between runs unless the property lets it.
func Rapid(t *testing.T, property func(rt *rapid.T)) {
	t.Helper()
	rapid.Check(struct{ rapid.TB }{t}, property)
}
