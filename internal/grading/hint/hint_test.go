package hint

import (
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
)

func TestNext(t *testing.T) {
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	state := t.TempDir()
	for i, want := range []string{"Look at one", "Keep what", "What do you", "A total, and a loop.",
		"A total, and a loop."} {
		h, err := Next(e, state)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(h.Text, want) || h.Level != min(i+1, Levels+1) || h.Solution() != (i >= Levels) {
			t.Errorf("call %d: %+v", i+1, h)
		}
		if h.Solution() && (!strings.Contains(h.Code, "slices.Values") || strings.Contains(h.Code, "//solution") ||
			strings.Contains(h.Code, "//stub")) {
			t.Errorf("the solution: %s", h.Code)
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

// TestWithheld: where the stub stands in the solution's place, it is not shown as one.
func TestWithheld(t *testing.T) {
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	if err := e.Withhold(); err != nil {
		t.Fatal(err)
	}
	if h, err := Read(e, Levels+1); err != nil || h.Code != "" || !strings.Contains(h.Text, "teacher") {
		t.Errorf("%+v, %v", h, err)
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

func TestReflow(t *testing.T) {
	const in = "One two three\nfour five six.\n\n- a list item that is long\n  and goes on\n- another\n\n" +
		"```go\nfmt.Println(\"a line of code stays as it is\")\n```\n\n# A heading that is longer than the width\n\n" +
		"    code by indent, which stays"
	const want = "One two three four\nfive six.\n\n- a list item that\n  is long and goes\n  on\n- another\n\n" +
		"```go\nfmt.Println(\"a line of code stays as it is\")\n```\n\n# A heading that is longer than the width\n\n" +
		"    code by indent, which stays"
	if got := Reflow(in, 18); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
