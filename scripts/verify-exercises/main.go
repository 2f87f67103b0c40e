// Verify-exercises proves the graders: go run ./scripts/verify-exercises [NN|NN.N ...]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/proof"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/racedetector"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

const usage = `usage: go run ./scripts/verify-exercises [flags] [NN|NN.N ...]
       go run ./scripts/verify-exercises -show 01.2/wrong/readall

For authors. Proves that the reference and every other right solution of an exercise pass, that
every wrong one fails in the test and with the message that its header names, and that nothing
is missing: hints, stubs, headers. Prints the kill table; exit status 1 if anything is wrong.

`

// enough is how long one right solution is repeated, unless a number is asked for.
const enough = 20 * time.Second

// arguments are what the command line says.
type arguments struct {
	count, parallel, sample int
	messages, again, record bool
	show                    string
	names                   []string
}

func parse() (a arguments) {
	flag.IntVar(&a.count, "count", 50, "how often right solutions run under the race detector; without the flag\n"+
		"a slow one stops after "+enough.String()+", and after five times at least")
	flag.IntVar(&a.parallel, "parallel", 2*runtime.NumCPU(), "solutions at a `time`")
	flag.BoolVar(&a.messages, "messages", false, "print what a learner is shown for each wrong solution")
	flag.BoolVar(&a.again, "again", false, "prove what is not as it should be once more; what then is, is called flaky")
	flag.IntVar(&a.sample, "sample", 0, "of exercises that are as they were when all was proven, run one of so many\n"+
		"solutions, each day others; 0: all")
	flag.BoolVar(&a.record, "record", false, "note what all solutions were proven with, in "+proof.ProvenFile+
		" beside them")
	flag.StringVar(&a.show, "show", "", "print the whole program of a `solution`, and prove nothing")
	flag.Usage = func() { fmt.Fprint(os.Stderr, usage); flag.PrintDefaults() }
	flag.Parse()
	a.names = flag.Args()
	return a
}

func main() {
	a := parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root, err := repo.Root()
	if err != nil {
		fail(err)
	}
	course := grader.Course{Root: root, Dir: root}
	if a.show != "" {
		program, err := proof.Show(course, a.names, a.show)
		if err != nil {
			fail(err)
		}
		os.Stdout.Write(program)
		return
	}
	exercises, err := course.Find(a.names...)
	if err != nil {
		fail(err)
	}
	if !prove(ctx, root, exercises, a) {
		os.Exit(1)
	}
}

// prove reports whether all is as it should be.
func prove(ctx context.Context, root string, exercises []grader.Exercise, a arguments) bool {
	start := time.Now()
	o := a.options(ctx)
	present := map[string]string{}
	if a.sample > 0 || a.record {
		var err error
		if present, err = proof.Present(ctx, root, exercises); err != nil {
			fail(err)
		}
	}
	if a.sample > 0 {
		o.Chosen = proof.Sample(present, a.sample, start.YearDay())
	}
	reports := proof.Verify(ctx, exercises, o)
	if a.record {
		note(reports, present)
	}
	good := !slices.ContainsFunc(reports, func(r proof.Report) bool { return !r.OK() })
	if err := vet(ctx, root, exercises); err != nil {
		fmt.Printf("solutions that do not compile alone:\n%v\n", err)
		good = false
	}
	broken, proven := mechanisms(ctx, root, chapters(exercises, a.names), o, a.messages)
	proof.PrintSummary(os.Stdout, reports, broken, time.Since(start))
	return good && proven
}

func (a arguments) options(ctx context.Context) proof.Options {
	o := proof.Options{Count: a.count, Enough: enough, Race: true, Again: a.again, Parallel: a.parallel}
	flag.Visit(func(f *flag.Flag) {
		if f.Name == "count" {
			o.Enough = 0 // somebody asked for that many
		}
	})
	if ok, why := racedetector.Available(ctx); !ok {
		o.Race = false
		fmt.Println("without -race:", why)
	}
	o.Row = func(_ grader.Exercise, r proof.Row) { proof.PrintRow(os.Stdout, r, a.messages) }
	o.Begin = func(e grader.Exercise) { fmt.Printf("%s  %s\n", e.ID, e.Title) }
	o.End = func(r proof.Report) { proof.PrintProblems(os.Stdout, r) }
	return o
}

// note writes down what the exercises were proven with whose solutions were all run, and are as they should be.
func note(reports []proof.Report, present map[string]string) {
	for _, r := range reports {
		if !r.OK() || r.Left > 0 {
			continue
		}
		if err := proof.WriteProven(r.Exercise, present[r.Exercise.ID]); err != nil {
			fail(err)
		}
	}
}

// chapters are those that are proven whole, and not one exercise of theirs.
func chapters(exercises []grader.Exercise, args []string) (names []string) {
	for _, e := range exercises {
		number, _, _ := strings.Cut(e.ID, ".")
		if (len(args) == 0 || slices.Contains(args, number)) && !slices.Contains(names, e.Chapter) {
			names = append(names, e.Chapter)
		}
	}
	return names
}

// mechanisms proves that the book's tests notice when a mechanism is broken, and reports whether they all do.
func mechanisms(
	ctx context.Context, root string, chapters []string, o proof.Options, messages bool,
) (rows []proof.Row, good bool) {
	all, problems := proof.Mechanisms(root, chapters...)
	if len(all)+len(problems) == 0 {
		return nil, true
	}
	fmt.Println("Mechanisms, broken against a guideline")
	proof.PrintProblems(os.Stdout, proof.Report{Problems: problems})
	good = len(problems) == 0
	for _, b := range all {
		row := b.Verify(ctx, root, o)
		proof.PrintRow(os.Stdout, row, messages)
		rows, good = append(rows, row), good && row.OK
	}
	return rows, good
}

// vet compiles all solutions as the packages that they are.
func vet(ctx context.Context, root string, exercises []grader.Exercise) error {
	args := []string{"vet"}
	for _, e := range exercises {
		rel, err := filepath.Rel(root, e.SolutionDir())
		if err != nil {
			return err
		}
		args = append(args, "./"+filepath.ToSlash(rel)+"/...")
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s", strings.TrimSpace(string(out)))
	}
	return nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "verify-exercises:", err)
	os.Exit(2)
}
