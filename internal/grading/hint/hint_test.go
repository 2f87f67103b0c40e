package hint

import (
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
)

func TestNext(t *testing.T) {
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	state := t.TempDir()
	for i, want := range []string{"Look at one", "Keep what", "What do you", "A total, and a loop.",
		"A total, and a loop."} {
		h, err := Next(e, state, 0)
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
	if h, err := Next(e, state, 0); err != nil || h.Level != 1 {
		t.Errorf("after Forget: %+v, %v", h, err)
	}
}

// TestWithheld: where the stub stands in the solution's place, it is not shown as one.
func TestWithheld(t *testing.T) {
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	if err := e.Withhold(); err != nil {
		t.Fatal(err)
	}
	if h, err := Read(e, 0, Levels+1); err != nil || h.Code != "" || !strings.Contains(h.Text, "teacher") {
		t.Errorf("%+v, %v", h, err)
	}
}

// TestStages: hints are those of the stage that grade found at hand, and its solution is what is there after it.
func TestStages(t *testing.T) {
	e := gradertest.Exercises(t, gradertest.NewStaged(t), "98.1")[0]
	state := t.TempDir()
	expect := func(stage int, begins, code string) {
		t.Helper()
		h, err := Next(e, state, 0)
		if err != nil || h.Stage.Number != stage || !strings.HasPrefix(h.Text, begins) ||
			h.Solution() != (code != "") || !strings.Contains(h.Code, code) {
			t.Errorf("%+v, %v, want stage %d, %q", h, err, stage, begins)
		}
		if strings.Contains(h.Text, "## ") || strings.Contains(h.Code, "go:build") ||
			strings.Contains(h.Code, "//sol") {
			t.Errorf("more than the hint: %+v", h)
		}
	}
	expect(1, "Look at one number", "")
	expect(1, "Keep what", "")
	grade(t, e, state, "return len(numbers) * 2 / len(numbers) * 3") // panics without numbers
	expect(2, "What do you have", "")
	expect(2, "A total, and a loop.", "func few")
	expect(2, "A total, and a loop.", "func few")
	grade(t, e, state, "return -7")
	expect(1, "Three numbers", "numbers[2]")
	allPassed := func(want bool) {
		t.Helper()
		if n, ok := AllPassed(e, state); n != 3 || ok != want {
			t.Errorf("%d stages, all passed: %v", n, ok)
		}
	}
	allPassed(false)
	grade(t, e, state, "return len(numbers) % 100 * 2") // all of them
	allPassed(true)
	expect(3, "Nothing", "")
	expect(3, "The same.", "slices.Values")
	if h, err := Read(e, 1, 2); err != nil || !strings.HasPrefix(h.Text, "Keep") {
		t.Errorf("of a stage that is passed: %+v, %v", h, err)
	}
	for _, at := range [][2]int{{4, 1}, {0, 1}, {1, 4}, {2, 3}, {1, 0}} {
		if h, err := Read(e, at[0], at[1]); err == nil {
			t.Errorf("stage %d has hint %d: %+v", at[0], at[1], h)
		}
	}
	if err := Forget(e, state); err != nil {
		t.Fatal(err)
	}
	expect(3, "Nothing", "")
	grade(t, e, state, "return (") // is at no stage
	expect(3, "The same.", "slices.Values")
	if err := Restart(e, state); err != nil {
		t.Fatal(err)
	}
	allPassed(false)
	expect(1, "Look at one number", "")
}

func grade(t *testing.T, e grader.Exercise, state, body string) {
	t.Helper()
	source := "package sum\n\nfunc Sum(numbers []int) int { " + body + " }\n"
	r := grader.Judge(t.Context(), e, []byte(source), 1, grader.Options{})
	if err := Note(r, state); err != nil {
		t.Fatal(err)
	}
}

// TestStagesWithheld: no stage's reasons and no program are left.
func TestStagesWithheld(t *testing.T) {
	e := gradertest.Exercises(t, gradertest.NewStaged(t), "98.1")[0]
	if err := e.Withhold(); err != nil {
		t.Fatal(err)
	}
	for stage, levels := range map[int]int{1: 2, 2: 1, 3: 1} {
		h, err := Read(e, stage, levels+1)
		if err != nil || h.Code != "" || h.Text != "Your teacher has it." {
			t.Errorf("stage %d: %+v, %v", stage, h, err)
		}
		if h, err := Read(e, stage, levels); err != nil || h.Text == "" {
			t.Errorf("stage %d has no hints any more: %+v, %v", stage, h, err)
		}
	}
}

func TestRead(t *testing.T) {
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	for _, level := range []int{0, 5, -1} {
		if _, err := Read(e, 0, level); err == nil {
			t.Errorf("level %d is there", level)
		}
	}
	gradertest.Write(t, e.Dir()+"/HINTS.md", "# Hints: 98.1 x\r\n\r\n## Hint 1\r\n\r\nText.\r\n\r\n## Hint 2\r\n")
	if h, err := Read(e, 0, 1); err != nil || h.Text != "Text." {
		t.Errorf("with Windows' line ends: %+v, %v", h, err)
	}
	if _, err := Read(e, 0, 2); err == nil || !strings.Contains(err.Error(), "## Hint 2") {
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
