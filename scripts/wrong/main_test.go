package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
)

const lastNumber = `package sum

// Sum gives the last number.
func Sum(numbers []int) int {
` + todo + `	if len(numbers) == 0 {
		return 0 // nothing to add up
	}
	return numbers[len(numbers)-1]
}
`

// todo is what the stub says there; an answer that was written into it may still have it, a wrong solution has not.
const todo = "\t// TODO: add up the numbers\n\t// (there may be none)\n"

// TestContribute: an answer becomes an overlay, with the verdict in its header.
func TestContribute(t *testing.T) {
	t.Parallel()
	course := gradertest.New(t)
	answer := func(text string) string {
		file := filepath.Join(t.TempDir(), "answer.go")
		gradertest.Write(t, file, text)
		return file
	}
	written := func() string {
		return gradertest.Read(t, filepath.Join(course.Dir, "solutions/98-fixture/1-sum/wrong/last-number.go"))
	}
	a := arguments{selector: "98.1", name: "last-number", file: answer(lastNumber)}
	require.NoError(t, contribute(t.Context(), course, a))
	_, declarations, _ := strings.Cut(strings.Replace(lastNumber, todo, "", 1), "package sum\n")
	require.Equal(t, "// Misconception: ⟨to be written⟩\n// Caught by: TestSum\n"+
		"// Message: Points to: the last number does not count\n\n//go:build wrong\n\npackage sum\n"+declarations, written())

	require.ErrorContains(t, contribute(t.Context(), course, a), "is there already")
	a.force, a.base = true, "alt/recursive"
	a.file = answer("// Breaks: there may be none\n// Caught by: TestOther\n\n" +
		strings.Replace(lastNumber, "return 0", "return 1", 1))
	require.NoError(t, contribute(t.Context(), course, a))
	require.True(t, strings.HasPrefix(written(), "// Breaks: there may be none\n// Caught by: TestOther\n"+
		"// Message: Points to: the last number does not count\n// Base: alt/recursive\n"), written())
}

func TestContributeRefuses(t *testing.T) {
	t.Parallel()
	course := gradertest.New(t)
	recursive := gradertest.Read(t, filepath.Join(course.Dir, "solutions/98-fixture/1-sum/alt/recursive/exercise.go"))
	stub := gradertest.Read(t, filepath.Join(course.Dir, "chapters/98-fixture/exercises/1-sum/exercise.go"))
	for _, test := range []struct {
		want, text string
		a          arguments
	}{
		{"is the same program as alt/recursive, which is right", recursive, arguments{}},
		{"is the stub: nothing was written into it", stub, arguments{}},
		{"answer.go:3: expected", "package sum\n\nfun Sum() {}\n", arguments{}},
		{"package box, want sum", "package box\n\nfunc Sum(n []int) int { return 0 }\n", arguments{}},
		{"undefined: x", "package sum\n\nfunc Sum(n []int) int { return x }\n", arguments{}},
		{"is no name: small letters", lastNumber, arguments{name: "Last_number"}},
		{"98 is a chapter: name one exercise, as 98.1", lastNumber, arguments{selector: "98"}},
		{`"alt/none" is no right solution of 98.1; there are: alt/recursive, reference`, lastNumber,
			arguments{base: "alt/none"}},
	} {
		test.a.file = filepath.Join(t.TempDir(), "answer.go")
		gradertest.Write(t, test.a.file, test.text)
		if test.a.name == "" {
			test.a.name = "x"
		}
		if test.a.selector == "" {
			test.a.selector = "98.1"
		}
		require.ErrorContains(t, contribute(t.Context(), course, test.a), test.want)
		require.NoFileExists(t, filepath.Join(course.Dir, "solutions/98-fixture/1-sum/wrong/"+test.a.name+".go"))
	}
}
