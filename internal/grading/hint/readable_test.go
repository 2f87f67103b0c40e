package hint

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// TestReadable: the assignment is what a reader has in front of them, and all else stays.
func TestReadable(t *testing.T) {
	const in = `// Package x is the assignment.
package x

// T is kept.
//
// Also this.
type T struct {
	// A is kept, too.
	//   - one rule
	A int
}

// F is what it is about,
// on two lines.
//
// This is the assignment.
//
//   - one rule
//   - another one
func F() {
	//solution:begin
	//stub: panic("to be written")
	// G first:
	//   - it is quick
	G()
	//solution:end
}

// G has stages.
// Stage 1: a first one
//  1. a rule
func G() {}

//   - nothing but a rule
func H() {}
`
	const want = `package x

// T is kept.
//
// Also this.
type T struct {
	// A is kept, too.
	A int
}

// F is what it is about,
// on two lines.
func F() {
	// G first:
	//   - it is quick
	G()
}

// G has stages.
func G() {}

func H() {}`
	if got := readable([]byte(in)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := readable([]byte("package x\n\nfunc (")); got != "package x\n\nfunc (" {
		t.Errorf("what is no Go became %q", got)
	}
}

// TestNoSolutionBeginsWithItsAssignment: of each of the book's solutions the code is there, and no rule.
func TestNoSolutionBeginsWithItsAssignment(t *testing.T) {
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "solutions", "*", "*", "exercise.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	comments := regexp.MustCompile(`(?m)^\s*//.*\n?`)
	squeeze := func(text string) string {
		return strings.Join(strings.Fields(comments.ReplaceAllString(text, "")), " ")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := readable(text)
		if squeeze(got) != squeeze(string(text)) {
			t.Errorf("%s has another code", file)
		}
		for line := range strings.Lines(got) {
			if strings.HasPrefix(line, "//") && rule.MatchString(line) {
				t.Errorf("%s: %s", file, line)
			}
		}
	}
}
