package proof

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
)

// Options say how thoroughly to prove.
type Options struct {
	Count int // how often right solutions run
	// Enough ends the repetition of a right solution that has been at it for so long, after five runs at least, so that
	// a slow one does not cost minutes. 0: it runs Count times however long that takes.
	Enough time.Duration
	// Race has right solutions run under the race detector, and wrong ones that without it are not killed as their
	// headers say. Most wrong ones are, and a program is built and run in half the time without it. What is killed
	// without the detector is killed with it, too: it only adds failures.
	Race bool
	// Again has what is not as it should be proven once more, when all others have ended or wait. What then is as it
	// should be is [Row.Flaky], and OK.
	Again bool
	// Chosen says which solutions are proven: a sample. nil: all of them.
	Chosen   func(grader.Exercise, Solution) bool
	Parallel int           // solutions at a time
	Limits   grader.Limits // zero: grader.DefaultLimits; the limit of the process grows with Count
	// Begin and End, if set, are called before the first and after the last solution of each exercise, Row for each
	// solution: as soon as it is proven, in order.
	Begin func(grader.Exercise)
	Row   func(grader.Exercise, Row)
	End   func(Report)
}

// A Row of the kill table is what became of one solution.
type Row struct {
	Solution string // "stub", "reference", "alt/by-hand", "wrong/readall"
	OK       bool
	Test     string // that killed a wrong solution
	Race     bool   // it ran under the race detector
	Message  string // why it is not OK; else what a learner sees
	// Flaky is why a first proof failed, if a second one did not: a test that does not say the same every time.
	Flaky   string
	Seconds float64

	pointsTo []string // all that its verdicts point to, those of later tests too
	hung     bool     // a limit of time ended a test
}

// Wrong reports whether the row is about a solution that is meant to fail.
func (r Row) Wrong() bool { return isWrong(r.Solution) }

// A Report is the proof of one exercise, or what is wrong with it.
type Report struct {
	Exercise grader.Exercise
	Problems []string // found without running anything
	Rows     []Row
	Unsaid   []string // beliefs that the tests know and say to no wrong solution
	Left     int      // solutions that were not chosen
}

// OK reports whether the exercise is proven.
func (r Report) OK() bool {
	return len(r.Problems) == 0 && !slices.ContainsFunc(r.Rows, func(row Row) bool { return !row.OK })
}

// Unneeded lists the graded tests that no wrong solution is caught by: without them the proof would be the same. The
// opening of a stage catches what ends before it.
func (r Report) Unneeded() (tests []string) {
	all, err := r.Exercise.Tests()
	stages, stagesErr := r.Exercise.Stages()
	if err != nil || stagesErr != nil || r.Left > 0 {
		return nil // is one of the problems, or can't be known
	}
	for _, test := range all {
		opens := func(s grader.Stage) bool { return s.Tests[0] == test }
		if !slices.ContainsFunc(stages, opens) && !slices.ContainsFunc(r.Rows, func(row Row) bool {
			return row.Wrong() && row.Test == test
		}) {
			tests = append(tests, test)
		}
	}
	return tests
}

// Verify proves exercises. Solutions of the next exercise run beside the last ones of an exercise.
func Verify(ctx context.Context, exercises []grader.Exercise, o Options) []Report {
	var jobs []job
	reports := make([]Report, len(exercises))
	for i, e := range exercises {
		solutions, problems := Solutions(e)
		reports[i] = Report{Exercise: e, Problems: append(problems, static(e, solutions)...)}
		if stubText, err := e.Stub(); err == nil { // else it is one of the problems
			jobs = append(jobs, job{i, Solution{Name: "stub", Source: stubText}, make(chan Row, 1)})
			for _, s := range solutions {
				if o.Chosen != nil && !o.Chosen(e, s) {
					reports[i].Left++
					continue
				}
				jobs = append(jobs, job{i, s, make(chan Row, 1)})
			}
		}
	}
	var next atomic.Int64
	var room sync.RWMutex
	for range max(1, o.Parallel) {
		go func() {
			for i := next.Add(1) - 1; i < int64(len(jobs)); i = next.Add(1) - 1 {
				j := jobs[i]
				start := time.Now()
				row := proveBeside(ctx, reports[j.report].Exercise, j.solution, o, &room)
				row.Seconds = time.Since(start).Seconds()
				j.row <- row
			}
		}()
	}
	collectRows(reports, jobs, o)
	return reports
}

// lookForUnsaid compares what the tests can point to with what they pointed to, if all went as it should.
func (r *Report) lookForUnsaid() {
	if !r.OK() || r.Left > 0 {
		return
	}
	var said []string
	for _, row := range r.Rows {
		said = append(said, row.pointsTo...)
	}
	var err error
	if r.Unsaid, err = unsaid(r.Exercise, said); err != nil {
		r.Problems = append(r.Problems, err.Error())
	}
}

// job is one solution to prove.
type job struct {
	report   int // the index of its exercise's report
	solution Solution
	row      chan Row
}

// collectRows waits for the rows, in order, and tells of them.
func collectRows(reports []Report, jobs []job, o Options) {
	for i := range reports {
		r := &reports[i]
		if o.Begin != nil {
			o.Begin(r.Exercise)
		}
		for ; len(jobs) > 0 && jobs[0].report == i; jobs = jobs[1:] {
			row := <-jobs[0].row
			r.Rows = append(r.Rows, row)
			if o.Row != nil {
				o.Row(r.Exercise, row)
			}
		}
		r.lookForUnsaid()
		r.Problems = append(r.Problems, r.repeated()...)
		if o.End != nil {
			o.End(*r)
		}
	}
}

// patience is how much longer than a learner's a test may take where a busy machine must not decide: that of a right
// solution, and of a wrong one that ran out of time where its header says something else.
const patience = 4

// proveBeside proves a solution beside others. Time is counted by the clock, and the machine is busy: so one that is
// not as it should be, and ran out of time, runs once more, with patience, when all others have ended or wait. One that
// did not run out of time has no such excuse: whether it gets a second proof is for [Options.Again] to say.
func proveBeside(ctx context.Context, e grader.Exercise, s Solution, o Options, room *sync.RWMutex) Row {
	room.RLock()
	row := prove(ctx, e, s, o, 1)
	room.RUnlock()
	if row.OK || !row.hung && !o.Again || ctx.Err() != nil {
		return row
	}
	room.Lock()
	defer room.Unlock()
	again := prove(ctx, e, s, o, patience)
	if again.OK && !row.hung {
		again.Flaky = row.Message
	}
	return again
}

// prove runs one solution, a wrong one with that patience. It decides about the race detector: see [Options].
func prove(ctx context.Context, e grader.Exercise, s Solution, o Options, patient int) Row {
	switch {
	case s.Name == "stub":
		return proveWith(ctx, e, s, o, false, patient)
	case !s.Wrong():
		return proveWith(ctx, e, s, o, o.Race, patience)
	}
	row := proveWith(ctx, e, s, o, false, patient)
	if !row.OK && !row.hung && o.Race && ctx.Err() == nil {
		row = proveWith(ctx, e, s, o, true, patient)
	}
	return row
}

func proveWith(ctx context.Context, e grader.Exercise, s Solution, o Options, race bool, patient int) Row {
	row := Row{Solution: s.Name, Race: race}
	if ctx.Err() != nil {
		row.Message = ctx.Err().Error()
		return row
	}
	limits := o.Limits.OrDefault() // a limit that is not set can't be made longer
	limits.Test *= time.Duration(patient)
	limits.Process *= time.Duration(patient)
	count, options := 1, grader.Options{Race: race, Limits: limits}
	var res grader.Result
	if s.Name != "stub" && !s.Wrong() && !s.Partial() {
		count, res = repeat(ctx, e, s, o, options)
	} else {
		res = grader.Judge(ctx, e, s.Source, count, options)
	}
	if res.Status == grader.Errored {
		row.Message = res.Error
		return row
	}
	row.hung = hung(res)
	switch {
	case s.Name == "stub":
		return proveStub(row, res)
	case s.Wrong():
		return proveWrong(row, s, res)
	case s.Partial():
		stages, err := e.Stages()
		if err != nil {
			row.Message = err.Error()
			return row
		}
		return provePartial(row, s, res, stages)
	case res.Failure == nil:
		row.OK, row.Message = true, fmt.Sprintf("passed %d times", count)
	default:
		row.Test, row.Message = res.Failure.Test, "fails, and should pass. "+res.Failure.Text()
	}
	return row
}

// fewest is how often a right solution runs, however slow it is.
const fewest = 5

// repeat runs a right solution over and over, and returns how often: [Options] says what is enough.
func repeat(
	ctx context.Context, e grader.Exercise, s Solution, o Options, options grader.Options,
) (count int, res grader.Result) {
	runs := func(n int) grader.Result {
		each := options
		each.Limits.Process *= time.Duration(n)
		each.Limits.Output *= n
		return grader.Judge(ctx, e, s.Source, n, each)
	}
	count = max(1, o.Count)
	if o.Enough == 0 || count <= fewest {
		return count, runs(count)
	}
	begin := time.Now()
	res = runs(fewest)
	took := time.Since(begin)
	more := min(count-fewest, int((o.Enough-took)*fewest/max(took, 1)))
	if res.Failure != nil || more <= 0 {
		return fewest, res
	}
	return fewest + more, runs(more)
}

// hung reports whether a limit of time ended any test.
func hung(res grader.Result) bool {
	isHang := func(f *grader.Failure) bool { return f != nil && f.Reason == grader.ReasonHang }
	return isHang(res.Failure) || slices.ContainsFunc(res.Tests,
		func(t grader.TestResult) bool { return isHang(t.Failure) })
}

// proveStub: a stub compiles, and does not pass.
func proveStub(row Row, res grader.Result) Row {
	switch {
	case res.Failure == nil || res.Points > 0:
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
	if res.Failure == nil {
		row.Message = "SURVIVES: every test passes"
		return row
	}
	for _, t := range res.Tests {
		if t.Failure != nil && t.Failure.PointsTo != "" {
			row.pointsTo = append(row.pointsTo, t.Failure.PointsTo)
		}
	}
	shown := s.inOverlay(*res.Failure)
	row.Test, row.Message = shown.Test, shown.Text()
	if shown.Reason == grader.ReasonCompile {
		row.Message = "does not compile. " + row.Message
		return row
	}
	if s.also() {
		return proveAlso(row, s, res)
	}
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

// inOverlay says of a compile error where it stands in what the author wrote. A learner's line is one of the merge.
func (s Solution) inOverlay(f grader.Failure) grader.Failure {
	if f.Reason == grader.ReasonCompile && f.Line > 0 {
		f.Happened = strings.Replace(f.Happened, fmt.Sprintf("exercise.go:%d:", f.Line), s.position(f.Line)+":", 1)
	}
	return f
}

func orNone(s string) string {
	if s == "" {
		return "no test"
	}
	return s
}
