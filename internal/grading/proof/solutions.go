package proof

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/proof/overlay"
)

// reference is the name of the reference solution.
const reference = "reference"

// A Solution is a whole program that answers an exercise. That of a wrong one is merged from its overlay and its base.
type Solution struct {
	Name   string // "reference", "alt/by-hand", "wrong/readall"
	Source []byte
	Header overlay.Header // of a wrong one
	Stage  int            // that a partial one passes, and one of wrong/also does not
	path   string         // of a right one's file, from the root of the course
	merged overlay.Merged // of a wrong or a partial one
}

// What the names of solutions begin with.
const (
	wrongPrefix   = "wrong/"
	alsoPrefix    = "wrong/also/"
	partialPrefix = "partial/"
)

// Wrong reports whether the solution is meant to fail.
func (s Solution) Wrong() bool { return isWrong(s.Name) }

func isWrong(name string) bool { return strings.HasPrefix(name, wrongPrefix) }

// Partial reports whether the solution is meant to pass some of the stages.
func (s Solution) Partial() bool { return strings.HasPrefix(s.Name, partialPrefix) }

// also reports whether it is a further wrong solution, of which the stage alone is known.
func (s Solution) also() bool { return strings.HasPrefix(s.Name, alsoPrefix) }

// exact reports whether a partial solution passes its stage and no other: stage2, where stage2-json may pass more.
func (s Solution) exact() bool { return s.Name == fmt.Sprintf("%sstage%d", partialPrefix, s.Stage) }

// Solutions reads all solutions of an exercise, the reference first. The problems are what makes one unusable.
func Solutions(e grader.Exercise) (all []Solution, problems []string) {
	r := newReader(e)
	r.right("exercise.go")
	r.each("alt", "*/exercise.go", r.right)
	r.each("wrong", "*.go", r.wrong)
	stages, err := e.Stages()
	if err != nil || len(stages) == 0 {
		return r.all, r.problems // of an error static says more
	}
	r.some("wrong/also", "*.go", r.wrong)
	r.some("partial", "stage*.go", r.partial)
	for n := 1; n < len(stages); n++ {
		name := fmt.Sprintf("%sstage%d", partialPrefix, n)
		if !slices.ContainsFunc(r.all, func(s Solution) bool { return s.Name == name }) {
			r.problem("there is no %s.go: what is there after stage %d", name, n)
		}
	}
	return r.all, r.problems
}

// SolutionPath names a file of the exercise's solutions from the root of the course.
func SolutionPath(e grader.Exercise, file string) string {
	return path.Join("solutions", e.Chapter, e.Slug, file)
}

// reader reads the solutions of one exercise.
type reader struct {
	exercise grader.Exercise
	bases    map[string]*overlay.File // the right ones, by name
	all      []Solution
	programs map[string]string // names by the program's text
	problems []string
}

func newReader(e grader.Exercise) *reader {
	return &reader{exercise: e, bases: map[string]*overlay.File{}, programs: map[string]string{}}
}

func (r *reader) problem(format string, a ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, a...))
}

// each calls read with the files of one kind of solution, of which there has to be one.
func (r *reader) each(kind, pattern string, read func(file string)) {
	if r.some(kind, pattern, read) == 0 {
		r.problem("there is no %s solution: %s/%s", kind, kind, pattern)
	}
}

// some calls read with the files of one kind of solution, and counts them.
func (r *reader) some(kind, pattern string, read func(file string)) int {
	files, _ := filepath.Glob(filepath.Join(r.exercise.SolutionDir(), filepath.FromSlash(kind+"/"+pattern)))
	for _, file := range files {
		rel, _ := filepath.Rel(r.exercise.SolutionDir(), file)
		read(filepath.ToSlash(rel))
	}
	return len(files)
}

// read reads a file, and refuses one that gofmt would write otherwise.
func (r *reader) read(name, file string) ([]byte, bool) {
	source, err := os.ReadFile(filepath.Join(r.exercise.SolutionDir(), filepath.FromSlash(file)))
	if err != nil {
		r.problem("%v", err)
		return nil, false
	}
	if formatted, err := format.Source(source); err == nil && !bytes.Equal(formatted, source) {
		r.problem("%s is not formatted: gofmt -w", name)
	}
	return source, true
}

// right reads the reference or an alternative.
func (r *reader) right(file string) {
	name := path.Dir(file)
	if name == "." {
		name = reference
	}
	source, ok := r.read(name, file)
	if !ok {
		return
	}
	f, err := overlay.Parse(SolutionPath(r.exercise, file), source)
	if err != nil {
		r.problem("%v", err)
		return
	}
	r.bases[name] = f
	r.add(Solution{Name: name, Source: source, path: f.Path})
}

// wrong reads an overlay and merges it with its base.
func (r *reader) wrong(file string) {
	s := Solution{Name: strings.TrimSuffix(file, ".go")}
	source, ok := r.read(s.Name, file)
	if !ok {
		return
	}
	f, header, err := overlay.ParseOverlay(SolutionPath(r.exercise, file), source)
	if err != nil {
		r.problem("%v", err)
		return
	}
	check := header.Check
	if s.also() {
		check = header.CheckAlso
		s.Stage, _ = strconv.Atoi(header.Stage)
	}
	if err := check(); err != nil {
		r.problem("%s: %v", s.Name, err)
	}
	name := header.Base
	if name == "" {
		name = reference
	}
	base := r.bases[name]
	if base == nil || header.Base == reference {
		r.problem("%s: Base: %s is no right solution: write alt/SLUG, or leave it out for the reference", s.Name, name)
		return
	}
	s.Header = header
	if s.merged, err = overlay.Merge(base, f, header.Removes); err != nil {
		r.problem("%v", err)
		return
	}
	s.Source = s.merged.Source
	r.add(s)
}

// partial reads an overlay of the stub, and merges the two.
func (r *reader) partial(file string) {
	s := Solution{Name: strings.TrimSuffix(file, ".go")}
	source, ok := r.read(s.Name, file)
	if !ok {
		return
	}
	stubText, err := r.exercise.Stub()
	if err != nil {
		r.problem("%v", err)
		return
	}
	base, err := overlay.Parse(r.exercise.File(), stubText)
	if err != nil {
		r.problem("%v", err)
		return
	}
	f, err := overlay.ParsePartial(SolutionPath(r.exercise, file), source)
	if err != nil {
		r.problem("%v", err)
		return
	}
	if s.merged, err = overlay.Merge(base, f, nil); err != nil {
		r.problem("%v", err)
		return
	}
	s.Source = s.merged.Source
	s.Stage = int(path.Base(s.Name)[len("stage")] - '0')
	r.add(s)
}

func (r *reader) add(s Solution) {
	if text, ok := stub.Canonical(s.Source); ok {
		if other, taken := r.programs[text]; taken {
			r.problem("%s and %s are the same program", s.Name, other)
		}
		r.programs[text] = s.Name
	}
	r.all = append(r.all, s)
}
