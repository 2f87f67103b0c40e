// Grade grades exercises: go run ./scripts/grade [NN|NN.N ...]
//
// docs/courses.md describes its reports and how to grade other people's files.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/hint"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/racedetector"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

const usage = `usage: go run ./scripts/grade [flags] [NN|NN.N ...]

Grades the exercises of the chapters (01) or the exercises (01.2) named, or all of them.
Exit status: 0 all attempted exercises pass, or have a stage passed; 1 one does not, or not
what -strict or -stages ask for; 2 the grader could not work.

`

type flags struct {
	watch, strict, noRace, each bool
	json, junit, gradescope     string
	from                        string
	parallel, stages            int
}

// demand is what an exit status of 0 takes.
func (f flags) demand() grader.Demand { return grader.Demand{Strict: f.strict, Stages: f.stages} }

func main() {
	var f flags
	flag.BoolVar(&f.watch, "watch", false, "grade again whenever an exercise.go changes, until Ctrl-C")
	flag.BoolVar(&f.strict, "strict", false, "ask for every exercise, and for all of its stages but a hard one: else\nthe exit status is 1")
	flag.IntVar(&f.stages, "stages", 0, "ask each attempted exercise for this `number` of stages: with fewer\nthe exit status is 1")
	flag.BoolVar(&f.noRace, "no-race", false, "do without the race detector: quicker, and blind to data races")
	flag.StringVar(&f.json, "json", "", "write a JSON report to this `file` (- for standard output)")
	flag.StringVar(&f.junit, "junit", "", "write a JUnit report to this `file` (- for standard output)")
	flag.StringVar(&f.gradescope, "gradescope", "", "write Gradescope's results.json to this `file` (- for standard "+
		"output)")
	flag.StringVar(&f.from, "from", "", "grade the exercise.go files in this `folder` against the tests here;\n"+
		"this runs their code: see docs/courses.md")
	flag.BoolVar(&f.each, "each", false, "each folder in the -from folder is somebody's submission; prints a line "+
		"for each,\nand what how many of them met")
	flag.IntVar(&f.parallel, "parallel", min(2, runtime.NumCPU()),
		"grade this `number` of exercises at the same time; with -each, of submissions")
	flag.Usage = func() { fmt.Fprint(os.Stderr, usage); flag.PrintDefaults() }
	flag.Parse()
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup says that a closed terminal is no reason
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	defer stop()
	root, err := repo.Root()
	code := 2
	if err == nil {
		code, err = run(ctx, grader.Course{Root: root, Dir: root}, f, flag.Args(), os.Stdout, os.Stderr)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "grade:", err)
		code = 2
	}
	os.Exit(code)
}

func run(ctx context.Context, course grader.Course, f flags, selectors []string, stdout,
	stderr io.Writer) (int, error) {
	if err := f.check(); err != nil {
		return 2, err
	}
	json, junit := reportFile{"json", f.json, stdout}, reportFile{"junit", f.junit, stdout}
	gradescope := reportFile{"gradescope", f.gradescope, stdout}
	if err := errors.Join(json.check(), junit.check(), gradescope.check()); err != nil {
		return 2, err
	}
	exercises, err := course.Find(selectors...)
	if err != nil {
		return 2, err
	}
	w := stdout
	if f.json == "-" || f.junit == "-" || f.gradescope == "-" {
		w = stderr // the report alone goes to standard output
	}
	o := grader.Options{From: f.from, Race: !f.noRace, Parallel: f.parallel}
	if o.Race {
		if ok, why := racedetector.Available(ctx); !ok {
			o.Race = false
			fmt.Fprintf(w, "without -race: %s; data races go unseen\n\n", why)
		}
	}
	note := noteStage(course, f)
	if f.watch {
		return 0, watch(ctx, w, course, exercises, o, note)
	}
	quiet := progress(stderr)
	defer quiet()
	if f.each {
		return each(ctx, w, course, exercises, f, o, quiet, json, junit)
	}
	style := grader.Style(colours(w))
	o.Done = func(r grader.Result) {
		quiet()
		grader.Print(w, r, style)
		note(r)
	}
	results := grader.Grade(ctx, exercises, o)
	if ctx.Err() != nil {
		return 2, errors.New("interrupted")
	}
	grader.PrintSummary(w, results)
	if allPassed(results) {
		printThen(w, course, results[len(results)-1])
	}
	f.demand().PrintShort(w, results)
	if f.from != "" {
		printClass(w, f.from, exercises)
	}
	report := grader.NewReport(results, f.from, o.Race, time.Now())
	report.Commit = course.Commit(ctx)
	if err := errors.Join(json.write(report.WriteJSON), junit.write(report.WriteJUnit),
		gradescope.write(report.WriteGradescope)); err != nil {
		return 2, err
	}
	return grader.ExitCode(results, f.demand()), nil
}

// noteStage remembers for `hint` which stage of one's own exercise is at hand. Where nothing can be written hints begin
// with the first stage, which is no reason to give no verdict.
func noteStage(course grader.Course, f flags) func(grader.Result) {
	if f.from != "" {
		return func(grader.Result) {}
	}
	return func(r grader.Result) { _ = hint.Note(r, filepath.Join(course.Dir, ".lab")) }
}

// progress shows that something is done, until the function it returns is called.
func progress(w io.Writer) (quiet func()) {
	task := term.NewDisplay(w).Begin("Grading")
	task.Detail("the first build takes about a minute, and a program that hangs is stopped after 6 s")
	return func() { task.End("") }
}

// check refuses flags that do not go together.
func (f flags) check() error {
	switch {
	case f.stages < 0 || f.stages > 9:
		return fmt.Errorf("-stages %d: an exercise has 1 to 9 stages", f.stages)
	case f.each && f.from == "":
		return errors.New("-each needs -from, the folder that holds the submissions")
	case f.each && f.watch:
		return errors.New("-each and -watch do not go together")
	case f.each && f.gradescope != "":
		return errors.New("-gradescope is of one submission: Gradescope runs the grader once for each")
	case f.watch && (f.json != "" || f.junit != "" || f.gradescope != ""):
		return errors.New("-watch writes no report")
	case f.json == "-" && f.junit == "-" || f.gradescope == "-" && (f.json == "-" || f.junit == "-"):
		return errors.New("only one report can go to standard output")
	case f.gradescope != "" && (sameFile(f.gradescope, f.json) || sameFile(f.gradescope, f.junit)):
		return fmt.Errorf("-gradescope names the file of another report, %s: one would replace the other", f.gradescope)
	case f.json != "" && sameFile(f.json, f.junit):
		return fmt.Errorf("-json and -junit name the same file, %s: one would replace the other", f.json)
	case f.from == "":
		return nil
	}
	if info, err := os.Stat(f.from); err != nil || !info.IsDir() {
		return fmt.Errorf("-from %s: there is no such folder", f.from)
	}
	return nil
}

func watch(ctx context.Context, w io.Writer, course grader.Course, exercises []grader.Exercise, o grader.Options,
	note func(grader.Result)) error {
	style := grader.Style(colours(w))
	fmt.Fprintf(w, "watching %s; Ctrl-C ends it\n", names(exercises))
	before := map[string]int{}
	return grader.Watch(ctx, exercises, o, func(r grader.Result) {
		fmt.Fprintf(w, "\n%s\n", time.Now().Format("15:04:05"))
		grader.Print(w, r, style)
		note(r)
		if last, seen := before[r.Exercise]; seen && r.Points > last {
			printRise(w, course, r)
		}
		before[r.Exercise] = r.Points
		if r.Status == grader.NotAttempted && len(exercises) == 1 {
			grader.PrintNext(w, r)
		}
		if r.Seconds > 0 {
			fmt.Fprintf(w, "      %-11s%.1f s\n", "took", r.Seconds)
		}
	})
}

// printRise says what was gained since the last verdict, and what comes next.
func printRise(w io.Writer, course grader.Course, r grader.Result) {
	if len(r.Stages) > 0 {
		fmt.Fprintf(w, "      %s\n", climbed(r))
	}
	if r.Whole() && r.Source == "" {
		printThen(w, course, r)
	}
}

// climbed says what was passed just now, and what comes next.
func climbed(r grader.Result) string {
	s, ok := r.AtHand()
	if !ok {
		return fmt.Sprintf("stage %d is passed: that was the last one", len(r.Stages))
	}
	if s.Hard {
		return fmt.Sprintf("stage %d is passed, and with it the exercise; next, if you like: stage %d, %s", s.Stage-1,
			s.Stage, s.Title)
	}
	return fmt.Sprintf("stage %d is passed; next: stage %d, %s", s.Stage-1, s.Stage, s.Title)
}

func names(exercises []grader.Exercise) string {
	var ids []string
	for _, e := range exercises {
		ids = append(ids, e.ID)
	}
	if len(ids) > 6 {
		return fmt.Sprintf("%d exercises, %s to %s", len(ids), ids[0], ids[len(ids)-1])
	}
	return strings.Join(ids, ", ")
}

// colours are for terminals whose owner has not said NO_COLOR.
func colours(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
