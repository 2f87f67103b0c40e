package grader

import (
	"strings"
	"testing"
)

// TestHangOnABusyMachine: a right solution that gets no processor hangs as a wrong one does, and only the grader can
// know.
func TestHangOnABusyMachine(t *testing.T) {
	for _, c := range []struct {
		name, loadavg string
		reason        Reason
		doubtful      bool
	}{
		{"a hang among many others", "34.92 33.82 20.12 14/700 22583\n", ReasonHang, true},
		{"a hang on a machine with nothing else to do", "2.10 1.50 0.89 3/700 22583\n", ReasonHang, false},
		{"a hang where nobody tells", "", ReasonHang, false},
		{"a wrong answer among many others", "34.92 33.82 20.12 14/700 22583\n", ReasonExpectation, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := Result{}.failed(&Failure{Reason: c.reason}).noteCrowd(c.loadavg, 2)
			if r.Doubtful() != c.doubtful {
				t.Errorf("doubtful: %v, notes %q", r.Doubtful(), r.Notes)
			}
			if c.doubtful && !strings.Contains(r.Notes[0], "35 programs wanted its 2 processors") {
				t.Errorf("the note is %q", r.Notes[0])
			}
			if r.Status != Failed {
				t.Errorf("the verdict became %s", r.Status)
			}
		})
	}
}
