package proof

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grader"
)

// Options say how thoroughly to prove.
type Options struct {
	Count    int  // how often right solutions run
	Race     bool // under the race detector
	Parallel int
	Limits   grader.Limits // zero: grader.DefaultLimits; the limit of the process grows with Count
	// Row, if set, is called for each solution as soon as it is proven, in order.
	Row func(grader.Exercise, Row)
}

// A Row of the kill table is what became of one solution.
type Row struct {
	Solution string // "stub", "reference", "alt/by-hand", "wrong/readall"
	OK       bool
	Test     string // that killed a wrong solution
	Message  string // why it is not OK; else what a learner sees
	Seconds  float64
}

// A Report is the proof of one exercise, or what is wrong with it.
type Report struct {
	Exercise grader.Exercise
	Problems []string // found without running anything
	Rows     []Row
}

// OK reports whether the exercise is proven.
func (r Report) OK() bool {
	return len(r.Problems) == 0 && !slices.ContainsFunc(r.Rows, func(row Row) bool { return !row.OK })
}

// Verify proves one exercise.
func Verify(ctx context.Context, e grader.Exercise, o Options) Report {
	solutions, problems := Solutions(e)
	rep := Report{Exercise: e, Problems: append(problems, static(e, solutions)...)}
	stubText, err := e.Stub()
	if err != nil {
		return rep
	}
	solutions = slices.Insert(solutions, 0, Solution{Name: "stub", Source: stubText})
	rows := make([]chan Row, len(solutions))
	slots := make(chan struct{}, max(1, o.Parallel))
	for i, s := range solutions {
		rows[i] = make(chan Row, 1)
		go func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			start := time.Now()
			row := prove(ctx, e, s, o)
			row.Seconds = time.Since(start).Seconds()
			rows[i] <- row
		}()
	}
	for _, c := range rows {
		row := <-c
		rep.Rows = append(rep.Rows, row)
		if o.Row != nil {
			o.Row(e, row)
		}
	}
	return rep
}

func prove(ctx context.Context, e grader.Exercise, s Solution, o Options) Row {
	row := Row{Solution: s.Name}
	if ctx.Err() != nil {
		row.Message = ctx.Err().Error()
		return row
	}
	limits := o.Limits
	if limits == (grader.Limits{}) {
		limits = grader.DefaultLimits
	}
	count := 1
	if s.Name == "reference" || strings.HasPrefix(s.Name, "alt/") {
		count = max(1, o.Count)
		limits.Test *= 4 // the machine may be busy with other proofs
		limits.Process *= time.Duration(count)
		limits.Output *= count
	}
	res := grader.Judge(ctx, e, s.Source, count, grader.Options{Race: o.Race, Limits: limits})
	if res.Status == grader.Errored {
		row.Message = res.Error
		return row
	}
	switch {
	case s.Name == "stub":
		return proveStub(row, res)
	case s.Wrong():
		return proveWrong(row, s, res)
	case res.Status == grader.Passed:
		row.OK, row.Message = true, fmt.Sprintf("passed %d times", count)
	default:
		row.Test, row.Message = res.Failure.Test, "fails, and should pass. "+res.Failure.Text()
	}
	return row
}

// proveStub: a stub compiles, and does not pass.
func proveStub(row Row, res grader.Result) Row {
	switch {
	case res.Status == grader.Passed:
		row.Message = "passes, and should fail"
	case res.Failure.Reason == grader.ReasonCompile || res.Failure.Reason == grader.ReasonFile ||
		res.Failure.Reason == grader.ReasonGiven:
		row.Message = res.Failure.Text()
	default:
		row.OK, row.Test, row.Message = true, res.Failure.Test, "fails, as it should"
	}
	return row
}

// proveWrong: a learner is shown the failure of the test that the header names, with the message it quotes.
func proveWrong(row Row, s Solution, res grader.Result) Row {
	if res.Status == grader.Passed {
		row.Message = "SURVIVES: every test passes"
		return row
	}
	shown := *res.Failure
	row.Test, row.Message = shown.Test, shown.Text()
	names := []string{shown.Test}
	for _, t := range res.Tests {
		if t.Name == shown.Test {
			names = append(names, t.FailedParts...)
		}
	}
	switch {
	case !slices.Contains(names, s.Header.CaughtBy):
		row.Message = fmt.Sprintf("is shown the failure of %s; the header names %s. %s", orNone(shown.Test),
			orNone(s.Header.CaughtBy), shown.Text())
	case s.Header.Message == "" || !strings.Contains(shown.Text(), strings.Join(strings.Fields(s.Header.Message), " ")):
		row.Message = fmt.Sprintf("the header quotes %q; what is shown is: %s", s.Header.Message, shown.Text())
	default:
		row.OK = true
	}
	return row
}

func orNone(s string) string {
	if s == "" {
		return "no test"
	}
	return s
}
