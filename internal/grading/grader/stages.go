package grader

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Stage is one step of an exercise: what the tests of one stageN_test.go grade. It is worth a point.
type Stage struct {
	Number int
	Title  string
	Hard   bool     // the exercise is passed without it
	Tests  []string // in order; the first is its opening, the simplest case of what the stage adds
}

// Heading is the stage as the stub and the first line of its file name it.
func (s Stage) Heading() string {
	if s.Hard {
		return fmt.Sprintf("Stage %d (hard): %s", s.Number, s.Title)
	}
	return fmt.Sprintf("Stage %d: %s", s.Number, s.Title)
}

// Outcome is what became of a stage.
type Outcome string

// What a stage can be. The lowest one that is not passed is at hand, whether it was begun or not.
const (
	StagePassed     Outcome = "passed"
	StageAtHand     Outcome = "at hand"
	StageNotReached Outcome = "not reached"
)

// A StageResult is the verdict on one stage.
type StageResult struct {
	Stage   int     `json:"stage"`
	Title   string  `json:"title"`
	Hard    bool    `json:"hard,omitempty"`
	Outcome Outcome `json:"outcome"`
	Points  int     `json:"points"`
	// Unwritten are the functions that the stage at hand asks for first, and that are the stub's.
	Unwritten []string `json:"unwritten,omitempty"`
}

// heading is the stage as a verdict names it.
func (s StageResult) heading() string {
	if s.Hard {
		return s.Title + " (hard)"
	}
	return s.Title
}

// comesFirst says of a stage that was not reached why.
func (r Result) comesFirst() string {
	s, _ := r.AtHand()
	return fmt.Sprintf("stage %d comes first", s.Stage)
}

// AtHand is the lowest stage that is not passed, if there is one.
func (r Result) AtHand() (StageResult, bool) {
	i := slices.IndexFunc(r.Stages, func(s StageResult) bool { return s.Outcome == StageAtHand })
	if i < 0 {
		return StageResult{}, false
	}
	return r.Stages[i], true
}

// Whole reports whether everything is passed, a hard stage too.
func (r Result) Whole() bool { return r.Status == Passed && r.Points == r.Possible }

// climb has a result say that the first n of its stages are passed.
func (r Result) climb(stages []Stage, n int) Result {
	if len(stages) == 0 {
		return r
	}
	r.Possible, r.Points, r.Stages = len(stages), n, nil
	for i, s := range stages {
		res := StageResult{Stage: s.Number, Title: s.Title, Hard: s.Hard, Outcome: StageNotReached}
		switch {
		case i < n:
			res.Outcome, res.Points = StagePassed, 1
		case i == n:
			res.Outcome = StageAtHand
		}
		r.Stages = append(r.Stages, res)
	}
	return r
}

// judgeStages says how far the tests came. They ran in one process, in order, until one failed: a stage is passed if
// all tests of it and of the stages below it are. What ended the process is blamed on the stage of the first test that
// did not come to its end, and where every test passed, on the last stage.
func (v variant) judgeStages(res Result, failure *Failure, given *handout) Result {
	stages := given.stages
	if failure == nil {
		res = res.climb(stages, len(stages))
		res.Status = Passed
		return res
	}
	n := len(stages) - 1
	at := slices.IndexFunc(res.Tests, func(t TestResult) bool { return t.Outcome != "pass" })
	if at >= 0 {
		failed := res.Tests[at]
		n = slices.IndexFunc(stages, func(s Stage) bool { return slices.Contains(s.Tests, failed.Name) })
		if failure.Test != "" && failure.Test != failed.Name {
			failure = failed.Failure // a later one failed as well, which only a forger's can
		}
		for i := range res.Tests[at+1:] {
			if t := &res.Tests[at+1+i]; t.Outcome == "missing" {
				t.Outcome, t.Failure = "not run", nil
			}
		}
	}
	res = res.climb(stages, n)
	if missing := v.unwritten(given.stub, stages[n]); len(missing) > 0 {
		res.Stages[n].Unwritten, failure.PointsTo = missing, "" // nobody believes anything of code that is not there
	}
	res = res.failed(failure)
	switch {
	case n >= needed(stages):
		res.Status = Passed
	case n > 0:
		res.Status = InProgress
	}
	return res
}

// needed is how many stages make an exercise passed: all but the hard one.
func needed(stages []Stage) int {
	if i := slices.IndexFunc(stages, func(s Stage) bool { return s.Hard }); i >= 0 {
		return i
	}
	return len(stages)
}

var (
	stageFile    = regexp.MustCompile(`^stage([1-9])_test\.go$`)
	stageHeading = regexp.MustCompile(`(?m)^[ \t]*(?://)?[ \t]*Stage ([1-9])( \(hard\))?: (.+?)\.?[ \t]*$`)
)

// readStages reads the stages from the files that grade them. The tests of an exercise with stages stand in these files
// alone.
func (h *handout) readStages() (out []Stage, err error) {
	for _, name := range sortedKeys(h.files) {
		m := stageFile.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		first, _, _ := strings.Cut(strings.ReplaceAll(string(h.files[name]), "\r\n", "\n"), "\n")
		heading := stageHeading.FindStringSubmatch(first)
		if heading == nil || heading[1] != m[1] {
			return nil, fmt.Errorf("the first line of %s is no \"// Stage %s: title\"", name, m[1])
		}
		s := Stage{Title: heading[3], Hard: heading[2] != ""}
		s.Number, _ = strconv.Atoi(m[1])
		if s.Tests, err = testsOf(name, h.files[name]); err != nil {
			return nil, err
		}
		if s.Number != len(out)+1 || len(s.Tests) == 0 {
			return nil, fmt.Errorf("%s: stage %d is missing, or has no test", name, len(out)+1)
		}
		if len(out) > 0 && out[len(out)-1].Hard {
			return nil, fmt.Errorf("%s: only the last stage may be hard", name)
		}
		out = append(out, s)
	}
	graded := 0
	for _, s := range out {
		graded += len(s.Tests)
	}
	if len(out) > 0 && graded != len(h.tests) {
		return nil, fmt.Errorf("an exercise with stages has its tests in stageN_test.go alone")
	}
	return out, nil
}

// headings are the stages that a stub names, without their tests.
func headings(stubText []byte) (out []Stage) {
	for _, m := range stageHeading.FindAllStringSubmatch(string(stubText), -1) {
		n, _ := strconv.Atoi(m[1])
		if !slices.ContainsFunc(out, func(s Stage) bool { return s.Number == n }) {
			out = append(out, Stage{Number: n, Title: m[3], Hard: m[2] != ""})
		}
	}
	slices.SortFunc(out, func(a, b Stage) int { return a.Number - b.Number })
	return out
}

// testsOf lists the tests of a file, in order.
func testsOf(name string, text []byte) (out []string, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name != "TestMain" &&
			testName.MatchString(f.Name.Name) {
			out = append(out, f.Name.Name)
		}
	}
	return out, nil
}

// Stages lists the exercise's stages: none, if it is graded as a whole.
func (e Exercise) Stages() ([]Stage, error) {
	h, err := e.given()
	if err != nil {
		return nil, err
	}
	if h.tampered != nil {
		return h.readStages() // an author is at it
	}
	return h.stages, nil
}
