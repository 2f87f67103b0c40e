package proof

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/hint"
)

// static finds what is wrong with an exercise without running it.
func static(e grader.Exercise, solutions []Solution) (problems []string) {
	add := func(format string, a ...any) { problems = append(problems, fmt.Sprintf(format, a...)) }
	problems = append(problems, hints(e)...)
	text, err := e.Reference()
	if err != nil {
		return append(problems, err.Error())
	}
	if stub.Regions(text) == 0 {
		add("the reference has no region (//solution:begin)")
	}
	want, err := e.Stub()
	if err != nil {
		return append(problems, err.Error())
	}
	if have, err := os.ReadFile(filepath.Join(e.Dir(), "exercise.go")); err != nil {
		add("%v", err)
	} else if !bytes.Equal(have, want) {
		add("exercise.go is not the stub of the reference: go run ./scripts/reset -stubs %s", e.ID)
	}
	sums, err := e.FormatSums(want)
	if err != nil {
		return append(problems, err.Error())
	}
	if have, _ := os.ReadFile(filepath.Join(e.SolutionDir(), grader.SumFile)); !bytes.Equal(have, sums) {
		add("%s is out of date: go run ./scripts/reset -stubs %s", grader.SumFile, e.ID)
	}
	problems = append(problems, headers(e, want, solutions)...)
	problems = append(problems, Stages(e)...)
	if _, err := ReadSecondAuthor(e); err != nil && !errors.Is(err, fs.ErrNotExist) {
		problems = append(problems, err.Error())
	}
	problems = append(problems, unguarded(e)...)
	return append(problems, strays(e)...)
}

// headers compares the headers of the wrong solutions with the exercise: the test that one names is there, and so is
// the sentence that one breaks.
func headers(e grader.Exercise, stubText []byte, solutions []Solution) (problems []string) {
	tests, err := e.Tests()
	if err != nil {
		return []string{err.Error()}
	}
	for _, s := range solutions {
		test, _, _ := strings.Cut(s.Header.CaughtBy, "/")
		if s.Wrong() && test != "" && !slices.Contains(tests, test) {
			problems = append(problems, fmt.Sprintf("%s is caught by %s, which is no test of the exercise",
				s.Name, test))
		}
		if b := s.Header.Breaks; b != "" && !quotes(stubText, b) && !promised(e, b) {
			problems = append(problems,
				fmt.Sprintf("%s breaks %q, which does not stand in the comments of the stub", s.Name, b))
		}
	}
	return append(problems, misplaced(e, stubText, solutions)...)
}

// hints checks that there are three, and the reasons of the solution; of stages, that each has its own.
func hints(e grader.Exercise) (problems []string) {
	text, err := os.ReadFile(filepath.Join(e.Dir(), "HINTS.md"))
	if err != nil {
		return []string{"HINTS.md: " + err.Error()}
	}
	if !strings.HasPrefix(string(text), "# Hints: "+e.ID+" ") {
		problems = append(problems, fmt.Sprintf("HINTS.md does not begin with \"# Hints: %s title\"", e.ID))
	}
	stages, err := e.Stages()
	if err != nil {
		return append(problems, err.Error())
	}
	for stage := min(1, len(stages)); stage <= len(stages); stage++ {
		first, err := hint.Read(e, stage, 1)
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		if first.Levels > hint.Levels {
			problems = append(problems, fmt.Sprintf("HINTS.md has %d hints for stage %d, of at most %d", first.Levels, stage,
				hint.Levels))
		}
		for level := 2; level <= first.Levels+1; level++ {
			if _, err := hint.Read(e, stage, level); err != nil {
				problems = append(problems, err.Error())
			}
		}
	}
	return problems
}

// unguarded finds graded tests that would run on an untouched stub.
func unguarded(e grader.Exercise) (problems []string) {
	files, _ := filepath.Glob(filepath.Join(e.Dir(), "*_test.go"))
	graded, _ := e.Tests()
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return append(problems, err.Error())
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && f.Recv == nil && slices.Contains(graded, f.Name.Name) && !guarded(f) {
				problems = append(problems, f.Name.Name+" does not begin with exercise.Attempted(t)")
			}
		}
	}
	return problems
}

func guarded(f *ast.FuncDecl) bool {
	if f.Body == nil || len(f.Body.List) == 0 {
		return false
	}
	stmt, ok := f.Body.List[0].(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := stmt.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Attempted"
}

var solutionFile = regexp.MustCompile(`^(exercise|alt/[a-z0-9-]+/exercise|wrong/(also/)?[a-z0-9-]+|partial/stage[1-9](-[a-z0-9-]+)?)\.go$`)

// strays finds files that belong to nothing.
func strays(e grader.Exercise) (problems []string) {
	look := func(dir, name string, known func(string) bool) {
		_ = fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !known(path) {
				problems = append(problems, "stray file: "+name+"/"+path)
			}
			return err
		})
	}
	look(e.Dir(), strings.TrimSuffix(e.File(), "/exercise.go"), func(path string) bool {
		return path == "HINTS.md" || strings.HasPrefix(path, "testdata/") ||
			!strings.Contains(path, "/") && strings.HasSuffix(path, ".go") && !strings.HasPrefix(path, ".") &&
				!strings.HasPrefix(path, "_")
	})
	look(e.SolutionDir(), "solutions/"+e.Chapter+"/"+e.Slug, func(path string) bool {
		return path == grader.SumFile || path == SecondAuthorFile || path == UnsaidFile || path == ProvenFile ||
			solutionFile.MatchString(path)
	})
	return problems
}

// Static finds what is wrong with an exercise and its solutions without running anything.
func Static(e grader.Exercise) []string {
	solutions, problems := Solutions(e)
	return append(problems, static(e, solutions)...)
}
