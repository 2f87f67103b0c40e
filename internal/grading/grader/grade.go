package grader

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
)

// Options say how to grade.
type Options struct {
	From     string // a folder with somebody's files; empty: the course's own folder
	Race     bool   // under the race detector; see [RaceDetector]
	Limits   Limits // zero: [DefaultLimits]
	Parallel int    // exercises at a time, at least 1
	// Done, if set, is called as soon as an exercise has its verdict, one call at a time, in the order of the
	// exercises.
	Done func(Result)
}

// Grade grades exercises, each in a process of its own, and returns their results in the same order.
func Grade(ctx context.Context, exercises []Exercise, o Options) []Result {
	results := make([]Result, len(exercises))
	if read, err := ReadHandouts(exercises); err == nil {
		exercises = read // else each says what is wrong with its own
	}
	ready := make([]chan struct{}, len(exercises))
	slots := make(chan struct{}, max(1, o.Parallel))
	var wg sync.WaitGroup
	for i := range exercises {
		ready[i] = make(chan struct{})
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots; close(ready[i]) }()
			results[i] = GradeOne(ctx, exercises[i], o)
		})
	}
	for i := range exercises {
		<-ready[i]
		if o.Done != nil {
			o.Done(results[i])
		}
	}
	wg.Wait()
	return results
}

// GradeOne grades one exercise.
func GradeOne(ctx context.Context, e Exercise, o Options) Result {
	start := time.Now()
	from := o.From
	if from == "" {
		from = e.course.Dir
	}
	given, err := e.given()
	if err != nil {
		return newResult(e, o.Race).errored(err)
	}
	e.handout = given
	res := newResult(e, o.Race)
	submitted, failure, err := e.readSubmission(from)
	source := submitted.source
	if o.From != "" && submitted.name != "" {
		res.Source = filepath.Join(o.From, submitted.name)
	}
	switch {
	case err != nil:
		return res.errored(err)
	case failure != nil:
		return res.failed(failure)
	case source == nil && o.From == "":
		return res.failed(&Failure{Reason: ReasonFile, Expected: "exercise.go is a plain file of Go code",
			Happened: "there is none", PointsTo: "write the stub anew: go run ./scripts/reset " + e.ID})
	case source == nil:
		res.Status = NotAttempted
		places := e.Layouts()
		slices.Reverse(places)
		res.Notes = []string{NotFoundNote + ": " + o.From + " has none of " + strings.Join(places, ", ")}
		return res
	case stub.Same(source, given.stub):
		res.Status = NotAttempted
		return res
	}
	where := res.Source
	res = Judge(ctx, e, source, 1, o)
	res.Source = where
	if o.From != "" {
		res.Notes = append(res.Notes, importNotes(source, given.stub)...)
	}
	return res.took(time.Since(start))
}

// NotFoundNote begins the note on an exercise that a submission has no file for.
const NotFoundNote = "not found in the submission"

// NotFound says whether the submission has no file for the exercise; a stub that nobody touched is found.
func (r Result) NotFound() bool { return r.hasNote(NotFoundNote) }

func (r Result) hasNote(beginning string) bool {
	return slices.ContainsFunc(r.Notes, func(note string) bool { return strings.HasPrefix(note, beginning) })
}

// Judge runs the graded tests of an exercise count times on the given text of exercise.go.
func Judge(ctx context.Context, e Exercise, source []byte, count int, o Options) Result {
	o.Limits = o.Limits.OrDefault()
	given, err := e.given()
	if err != nil {
		return newResult(e, o.Race).errored(err)
	}
	e.handout = given
	res := newResult(e, o.Race)
	if f := checkSource(source, given.stub); f != nil {
		return res.failed(f)
	}
	switch {
	case given.tampered != nil && o.From != "": // nobody who is graded touched the course
		return res.errored(fmt.Errorf("%s: %s", given.tampered.Happened, given.tampered.PointsTo))
	case given.tampered != nil:
		return res.failed(given.tampered)
	case len(given.strays) > 0 && o.From == "":
		res.Notes = append(res.Notes, "only exercise.go is graded, without "+strings.Join(given.strays, ", "))
	}
	scratch, err := os.MkdirTemp("", "grade-")
	if err != nil {
		return res.errored(err)
	}
	defer removeAll(scratch)
	if scratch, err = filepath.EvalSymlinks(scratch); err != nil {
		return res.errored(err)
	}
	v := variant{exercise: e, source: source, race: o.Race, scratch: scratch}
	failure, err := v.build(ctx, o.Limits.Build)
	if err != nil {
		return res.errored(err)
	}
	if failure != nil {
		return res.failed(failure)
	}
	rec, err := v.run(ctx, given, count, o.Limits)
	if err != nil {
		return res.errored(err)
	}
	failure, res.Tests = v.judge(rec, given.tests, count, o.Limits)
	switch {
	case len(given.stages) > 0:
		res = v.judgeStages(res, failure, given)
	case failure != nil:
		res = res.failed(failure)
	default:
		res.Status, res.Points = Passed, e.Stars
	}
	return res.noteCrowd(loadAverage(), runtime.NumCPU())
}
