package hint

import (
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grader/gradertest"
)

func TestNext(t *testing.T) {
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	state := t.TempDir()
	for i, want := range []string{"Look at one", "Keep what", "What do you", "A total, and a loop.", "A total, and a loop."} {
		h, err := Next(e, state)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(h.Text, want) || h.Level != min(i+1, Levels+1) || h.Solution() != (i >= Levels) {
			t.Errorf("call %d: %+v", i+1, h)
		}
		if h.Solution() && (!strings.Contains(h.Text, "slices.Values") || strings.Contains(h.Text, "//solution") || strings.Contains(h.Text, "//stub")) {
			t.Errorf("the solution: %s", h.Text)
		}
		if strings.Contains(h.Text, "## ") {
			t.Errorf("call %d shows the next heading: %s", i+1, h.Text)
		}
	}
	if err := Forget(e, state); err != nil {
		t.Fatal(err)
	}
	if h, err := Next(e, state); err != nil || h.Level != 1 {
		t.Errorf("after Forget: %+v, %v", h, err)
	}
}

func TestRead(t *testing.T) {
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	for _, level := range []int{0, 5, -1} {
		if _, err := Read(e, level); err == nil {
			t.Errorf("level %d is there", level)
		}
	}
	gradertest.Write(t, e.Dir()+"/HINTS.md", "# Hints: 98.1 x\r\n\r\n## Hint 1\r\n\r\nText.\r\n\r\n## Hint 2\r\n")
	if h, err := Read(e, 1); err != nil || h.Text != "Text." {
		t.Errorf("with Windows' line ends: %+v, %v", h, err)
	}
	if _, err := Read(e, 2); err == nil || !strings.Contains(err.Error(), "## Hint 2") {
		t.Errorf("an empty hint: %v", err)
	}
}
