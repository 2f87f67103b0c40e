package proof

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
)

// The limits of an exercise with stages.
const (
	maxWords             = 250
	maxFirstWords        = 80
	maxRequirements      = 13 // 12, and one more where that is clearer
	maxStageRequirements = 5  // 4, and one more where that is clearer
	maxTests             = 25
	maxTestLines         = 600
	maxWrong             = 20
	maxTitleWords        = 12
	minMissing           = 20
	maxMissing           = 60
)

// Stages finds what is wrong with the stages of an exercise without running anything. An exercise without stages has
// nothing wrong with them.
func Stages(e grader.Exercise) (problems []string) {
	stages, err := e.Stages()
	if err != nil {
		return []string{err.Error()}
	}
	if len(stages) == 0 {
		return nil
	}
	add := func(format string, a ...any) { problems = append(problems, fmt.Sprintf(format, a...)) }
	if len(stages) < 2 || len(stages) > 4 {
		add("it has %d stages, of two to four", len(stages))
	}
	stubText, err := e.Stub()
	if err != nil {
		return append(problems, err.Error())
	}
	a, err := ReadAssignment(stubText)
	if err != nil {
		return append(problems, err.Error())
	}
	problems = append(problems, headingsDiffer(stages, a)...)
	problems = append(problems, opened(e, stages)...)
	if !strings.Contains(string(stubText), Promises) {
		add("the package comment does not say that %s says what holds for every exercise", Promises)
	}
	return problems
}

// opened finds openings that name a belief: nobody who fails there believes anything, since that code is still to come.
func opened(e grader.Exercise, stages []grader.Stage) (problems []string) {
	for _, s := range stages {
		text, err := os.ReadFile(filepath.Join(e.Dir(), fmt.Sprintf("stage%d_test.go", s.Number)))
		if err != nil {
			return append(problems, err.Error())
		}
		if believes(text, s.Tests[0]) {
			problems = append(problems, fmt.Sprintf("%s opens stage %d, and names a belief: who fails it has not got there yet",
				s.Tests[0], s.Number))
		}
	}
	return problems
}

// Limits finds what is too long or too much in an exercise with stages. It says nothing of one without.
func Limits(e grader.Exercise) (problems []string) {
	stages, err := e.Stages()
	if err != nil || len(stages) == 0 {
		return nil // Stages says what is wrong
	}
	stubText, err := e.Stub()
	if err != nil {
		return []string{err.Error()}
	}
	a, err := ReadAssignment(stubText)
	if err != nil {
		return []string{err.Error()}
	}
	problems = append(a.Problems, a.tooLong()...)
	for _, s := range stages {
		if n := len(strings.Fields(s.Title)); n > maxTitleWords {
			problems = append(problems, fmt.Sprintf("the title of stage %d has %d words, of at most %d", s.Number, n,
				maxTitleWords))
		}
	}
	return append(problems, sizes(e, stages)...)
}

// tooLong compares an assignment with its limits.
func (a Assignment) tooLong() (problems []string) {
	limit := func(n, most int, what string) {
		if n > most {
			problems = append(problems, fmt.Sprintf("%s has %d %s, of at most %d", "the assignment", n, what, most))
		}
	}
	limit(a.Words, maxWords, "words")
	limit(a.Requirements(), maxRequirements, "requirements")
	for _, s := range a.Stages {
		limit(len(s.Requirements), maxStageRequirements, fmt.Sprintf("requirements in stage %d", s.Number))
	}
	if len(a.Stages) > 0 {
		limit(a.Stages[0].Words, maxFirstWords, "words in stage 1")
	}
	return problems
}

// sizes counts tests, their lines, wrong solutions, and what is to be written.
func sizes(e grader.Exercise, stages []grader.Stage) (problems []string) {
	limit := func(n, least, most int, what string) {
		if n > most || n < least {
			problems = append(problems, fmt.Sprintf("it has %d %s, of %d to %d", n, what, least, most))
		}
	}
	tests, lines := 0, 0
	for _, s := range stages {
		tests += len(s.Tests)
		text, err := os.ReadFile(filepath.Join(e.Dir(), fmt.Sprintf("stage%d_test.go", s.Number)))
		if err != nil {
			return append(problems, err.Error())
		}
		lines += strings.Count(string(text), "\n")
	}
	limit(tests, 1, maxTests, "graded tests")
	limit(lines, 1, maxTestLines, "lines in the files of its stages")
	wrong, _ := filepath.Glob(filepath.Join(e.SolutionDir(), "wrong", "*.go"))
	limit(len(wrong), 1, maxWrong, "wrong solutions that quote their message (others lie in wrong/also)")
	reference, err := e.Reference()
	if err != nil {
		return append(problems, err.Error())
	}
	limit(MissingLines(reference), minMissing, maxMissing, "lines that are to be written")
	return problems
}

// believes reports whether a test of that name points to a belief, or says what a hang or a leak means.
func believes(source []byte, name string) (found bool) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name {
			ast.Inspect(f, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				found = found || ok && slices.Contains([]string{"PointsTo", "HangMeans", "LeakMeans"}, id.Name)
				return true
			})
		}
	}
	return found
}

// stageOfTest is the number of the stage that a test belongs to, or 0.
func stageOfTest(stages []grader.Stage, test string) int {
	test, _, _ = strings.Cut(test, "/")
	for _, s := range stages {
		if slices.Contains(s.Tests, test) {
			return s.Number
		}
	}
	return 0
}

// misplaced finds wrong solutions that break a sentence of another stage than the one that tells them. What holds for
// every exercise holds in each stage.
func misplaced(e grader.Exercise, stubText []byte, solutions []Solution) (problems []string) {
	stages, err := e.Stages()
	if err != nil || len(stages) == 0 {
		return nil
	}
	a, err := ReadAssignment(stubText)
	if err != nil {
		return []string{err.Error()}
	}
	for _, s := range solutions {
		if !s.Wrong() {
			continue
		}
		told := s.Stage
		if !s.also() {
			told = stageOfTest(stages, s.Header.CaughtBy)
		}
		if told > len(stages) {
			problems = append(problems, fmt.Sprintf("%s: there is no stage %d", s.Name, told))
		}
		in := a.stageOf(s.Header.Breaks)
		if s.Header.Breaks != "" && told > 0 && in != told && !(in == 0 && promised(e, s.Header.Breaks)) {
			problems = append(problems, fmt.Sprintf("%s breaks %q, which does not stand under stage %d", s.Name,
				s.Header.Breaks, told))
		}
	}
	return problems
}

// Promises names the page that says what all exercises promise. A stub with stages names it and repeats nothing of it.
const Promises = "docs/exercises.md"

// promised reports whether a sentence stands on the page of what holds for every exercise.
func promised(e grader.Exercise, sentence string) bool {
	text, err := os.ReadFile(filepath.Join(e.CourseDir(), filepath.FromSlash(Promises)))
	return err == nil && strings.Contains(folded(string(text)), folded(sentence))
}

// provePartial: a partial solution passes its stage and those below it, and the one after which a stage is named fails
// at the opening of the next, which names no belief: nobody believes anything of code that is not there.
func provePartial(row Row, s Solution, res grader.Result, stages []grader.Stage) Row {
	opening := ""
	if s.Stage < len(stages) {
		opening = stages[s.Stage].Tests[0]
	}
	if res.Failure != nil {
		row.Test, row.Message = res.Failure.Test, res.Failure.Text()
	}
	switch {
	case res.Points < s.Stage:
		row.Message = fmt.Sprintf("passes %d stages, and should pass %d. %s", res.Points, s.Stage, row.Message)
	case !s.exact():
		row.OK, row.Message = true, fmt.Sprintf("passes %d stages", res.Points)
	case res.Points > s.Stage:
		row.Message = fmt.Sprintf("passes %d stages, and should pass %d: another solution shows where it ends",
			res.Points, s.Stage)
	case res.Failure == nil || res.Failure.Test != opening:
		row.Message = fmt.Sprintf("fails in %s, and not in %s, which opens stage %d. %s", orNone(row.Test), opening,
			s.Stage+1, row.Message)
	case res.Failure.PointsTo != "":
		row.Message = "is told a belief of a stage that it has not got to. " + row.Message
	default:
		row.OK, row.Message = true, fmt.Sprintf("passes %d, and ends at %s", s.Stage, opening)
	}
	return row
}

// proveAlso: a further wrong solution fails in its stage, and what it is told is not asked for.
func proveAlso(row Row, s Solution, res grader.Result) Row {
	at, _ := res.AtHand()
	if row.OK = at.Stage == s.Stage; !row.OK {
		row.Message = fmt.Sprintf("fails in stage %d; the header names stage %d. %s", at.Stage, s.Stage, row.Message)
	}
	return row
}

// same are words that two messages may differ in and say the same: numbers, quoted texts, names with a slash or of one
// letter, and places in the file.
var same = regexp.MustCompile(`\d+|"[^"]*"|\(in [^)]*\)|\S*/\S*|\b[a-z]\b`)

// repeated finds wrong solutions that the same test tells with the same words: the second one shows nothing that the
// first one does not.
func (r Report) repeated() (problems []string) {
	stages, err := r.Exercise.Stages()
	if err != nil || len(stages) == 0 {
		return nil
	}
	told := map[string]string{}
	for _, row := range r.Rows {
		if !row.Wrong() || !row.OK || strings.HasPrefix(row.Solution, alsoPrefix) {
			continue
		}
		words := row.Test + " " + same.ReplaceAllString(row.Message, "#")
		if first, ok := told[words]; ok {
			problems = append(problems, fmt.Sprintf("%s is one too many: %s is told the same by %s; drop one, or put it "+
				"into wrong/also", row.Solution, first, row.Test))
			continue
		}
		told[words] = row.Solution
	}
	return problems
}
