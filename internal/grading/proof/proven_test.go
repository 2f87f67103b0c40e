package proof_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/proof"
)

// TestPresent: what is proven stays proven until something changes that the proof depends on.
func TestPresent(t *testing.T) {
	t.Parallel()
	c := gradertest.Module(t)
	root := c.Root
	exercises := gradertest.Exercises(t, c)
	now := func() map[string]string {
		t.Helper()
		all, err := proof.Present(t.Context(), root, exercises)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	first, other := exercises[0], exercises[1]
	before := now()
	if before[first.ID] == before[other.ID] {
		t.Fatalf("two exercises have one hash: %v", before)
	}
	for _, test := range []struct {
		says         string
		files        []string
		first, other bool
	}{
		{says: "what nothing that runs depends on", files: []string{first.Dir() + "/HINTS.md",
			first.SolutionDir() + "/" + proof.SecondAuthorFile, first.SolutionDir() + "/" + proof.ProvenFile}},
		{says: "the reference", files: []string{first.SolutionDir() + "/exercise.go"}, first: true},
		{says: "the tests", files: []string{first.Dir() + "/exercise_test.go"}, first: true},
		{says: "a package that all tests use", files: []string{root + "/internal/exercise/verdict.go"},
			first: true, other: true},
		{says: "the pins", files: []string{root + "/go.mod"}, first: true, other: true},
	} {
		for _, file := range test.files {
			text, err := os.ReadFile(file)
			if err != nil && !strings.HasPrefix(file, first.SolutionDir()) {
				t.Fatal(err)
			}
			gradertest.Write(t, file, string(text)+"\n// changed\n")
		}
		after := now()
		changed := [2]bool{before[first.ID] != after[first.ID], before[other.ID] != after[other.ID]}
		if want := [2]bool{test.first, test.other}; changed != want {
			t.Errorf("%s changed: the hashes of the exercise and of another differ: %v, not %v", test.says, changed, want)
		}
		before = after
	}
}

const hash = "0123456789abcdef0123456789abcdef"

// TestProvenFile: the file has one form, and where there is none nothing is proven.
func TestProvenFile(t *testing.T) {
	t.Parallel()
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	if got, err := proof.ReadProven(e); err != nil || got != "" {
		t.Errorf("no file: %q, %v", got, err)
	}
	if err := proof.WriteProven(e, hash); err != nil {
		t.Fatal(err)
	}
	if got, err := proof.ReadProven(e); err != nil || got != hash {
		t.Errorf("%s came back as %q, %v", hash, got, err)
	}
	gradertest.Write(t, filepath.Join(e.SolutionDir(), proof.ProvenFile), "<<<<<<< HEAD\n")
	if _, err := proof.ReadProven(e); err == nil || !strings.Contains(err.Error(), "remove the file") {
		t.Errorf("a file that is none: %v", err)
	}
}

// TestSample: of what is as it was when it was proven a part is run, each day another; of all else everything.
func TestSample(t *testing.T) {
	t.Parallel()
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	present := map[string]string{e.ID: hash}
	names := []string{"reference"}
	for _, letter := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
		names = append(names, "wrong/"+letter)
	}
	chosen := func(day int) (all []string) {
		choose := proof.Sample(present, 4, day)
		for _, name := range names {
			if choose(e, proof.Solution{Name: name}) {
				all = append(all, name)
			}
		}
		return all
	}
	if got := chosen(1); len(got) != len(names) {
		t.Errorf("nothing was proven, and %v are run", got)
	}
	if err := proof.WriteProven(e, strings.Repeat("0", 32)); err != nil {
		t.Fatal(err)
	}
	if got := chosen(1); len(got) != len(names) {
		t.Errorf("the exercise has changed, and %v are run", got)
	}
	if err := proof.WriteProven(e, hash); err != nil {
		t.Fatal(err)
	}
	runs := map[string]int{}
	for day := range 4 {
		for _, name := range chosen(100 + day) {
			runs[name]++
		}
	}
	for _, name := range names {
		if want := map[bool]int{true: 4, false: 1}[name == "reference"]; runs[name] != want {
			t.Errorf("in four days %s is run %d times, not %d", name, runs[name], want)
		}
	}
}

// TestVerifyASample: a report says how many were left out, and says nothing about tests that they may need.
func TestVerifyASample(t *testing.T) {
	t.Parallel()
	c := gradertest.New(t)
	e := gradertest.Exercises(t, c, "98.1")[0]
	o := proof.Options{Count: 1, Parallel: 2,
		Chosen: func(_ grader.Exercise, s proof.Solution) bool { return !s.Wrong() }}
	rep := proof.Verify(t.Context(), []grader.Exercise{e}, o)[0]
	solutions, _ := proof.Solutions(e)
	if rep.Left == 0 || rep.Left+len(rep.Rows) != len(solutions)+1 || len(rep.Unneeded()) > 0 {
		t.Errorf("%d left, %d of %d run, unneeded: %v", rep.Left, len(rep.Rows), len(solutions)+1, rep.Unneeded())
	}
}
