// Command upstream-tests runs client-go's own tests, at the pinned version, on the mechanisms of chapters 04 to 08.
//
//	go run ./scripts/upstream-tests                        all of them, a minute or two
//	go run ./scripts/upstream-tests fifo workqueue         on these mechanisms
//	go run ./scripts/upstream-tests -run TestRealFIFO -v   the tests whose names match
//	go run ./scripts/upstream-tests -prove                 do they notice mechanisms that are wrong?
//
// Nothing of upstream's is stored: its tests are read from the module cache. tests.txt says what each test is to us,
// and docs/upstream.md, which is made of it, says why some do not pass.
package main

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"syscall"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/upstreamtests"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/racedetector"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

//go:embed shims
var embedded embed.FS

// shims are what stands for upstream's names.
func shims() fs.FS {
	sub, err := fs.Sub(embedded, "shims")
	if err != nil {
		panic(err) // the name is a constant
	}
	return sub
}

// request is what the command line says.
type request struct {
	run                      *regexp.Regexp
	race, again, prove, each bool
	parallel                 int
	mechanisms               []string
}

func parse(arguments []string) (r request, err error) {
	flags := flag.NewFlagSet("upstream-tests", flag.ContinueOnError)
	pattern := flags.String("run", "", "only tests whose names match this `regexp`")
	flags.BoolVar(&r.race, "race", false, "with the race detector")
	flags.BoolVar(&r.again, "again", false, "run once more what is not as expected; what then is, is called flaky")
	flags.BoolVar(&r.each, "v", false, "a line for each test, and all that a failing test says")
	flags.BoolVar(&r.prove, "prove", false, "break the mechanisms, as scripts/upstream-tests/wrong does, and say who notices")
	flags.IntVar(&r.parallel, "parallel", runtime.NumCPU(), "tests at a `time`")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: go run ./scripts/upstream-tests [flags] [MECHANISM...]")
		flags.PrintDefaults()
	}
	if err := flags.Parse(arguments); err != nil {
		return r, err
	}
	r.mechanisms = flags.Args()
	for _, m := range r.mechanisms {
		if !slices.Contains(upstreamtests.Mechanisms(), m) {
			return r, fmt.Errorf("there is no mechanism %s: there are %v", m, upstreamtests.Mechanisms())
		}
	}
	r.run, err = regexp.Compile(*pattern)
	return r, err
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	good, err := run(ctx, os.Args[1:])
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "upstream-tests:", err)
		os.Exit(2)
	case !good:
		os.Exit(1)
	}
}

// run reports whether everything is as the list says.
func run(ctx context.Context, arguments []string) (good bool, err error) {
	r, err := parse(arguments)
	if err != nil {
		return false, err
	}
	root, err := repo.Root()
	if err != nil {
		return false, err
	}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(upstreamtests.ListFile)))
	if err != nil {
		return false, err
	}
	list, err := upstreamtests.ParseList(string(text))
	if err != nil {
		return false, err
	}
	if r.race {
		if ok, why := racedetector.Available(ctx); !ok {
			fmt.Println("The tests run without -race: " + why + ".")
			r.race = false
		}
	}
	harness := upstreamtests.Harness{Root: root, Shims: shims(), Race: r.race}
	if r.prove {
		return prove(ctx, term.NewDisplay(os.Stdout), harness, list, r)
	}
	return test(ctx, term.NewDisplay(os.Stdout), harness, list, r)
}

// test compiles the tests, runs them and reports.
func test(ctx context.Context, display term.Display, harness upstreamtests.Harness, list upstreamtests.List,
	r request) (good bool, err error) {
	rows := slices.DeleteFunc(list.Of(r.mechanisms...), func(row upstreamtests.Row) bool {
		return !r.run.MatchString(row.Test)
	})
	if !slices.ContainsFunc(rows, func(row upstreamtests.Row) bool { return row.How.Runs() }) {
		return false, errors.New("no test that runs has such a name: " + upstreamtests.ListFile + " has them")
	}
	dir, err := os.MkdirTemp("", "upstream-tests-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	task := display.Begin("Compiling client-go's tests with the chapters' mechanisms")
	binaries, err := harness.Compile(ctx, dir, list, rows)
	task.End("")
	if err != nil {
		return false, err
	}
	results := runAll(ctx, display, binaries, rows, r)
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	report(os.Stdout, list, results, r.each)
	return !upstreamtests.AnyUnexpected(results), nil
}

// runAll runs the tests under a display.
func runAll(ctx context.Context, display term.Display, binaries map[string]string, rows []upstreamtests.Row,
	r request) []upstreamtests.Result {
	task := display.Begin("Running them")
	defer task.End("")
	done, total := 0, 0
	for _, row := range rows {
		if row.How.Runs() {
			total++
		}
	}
	return upstreamtests.RunAll(ctx, binaries, rows, upstreamtests.RunOptions{
		Race: r.race, Parallel: r.parallel, Again: r.again,
		Each: func(result upstreamtests.Result) {
			done++
			task.Set(done, total, "tests")
			task.Detail(result.Row.Test)
			if r.each {
				display.Say("%s", line(result))
			}
		}})
}

// prove reports whether each mechanism that is wrong is noticed by whom its header says.
func prove(ctx context.Context, display term.Display, harness upstreamtests.Harness, list upstreamtests.List,
	r request) (good bool, err error) {
	all, err := upstreamtests.ReadWrong(harness.Root)
	if err != nil {
		return false, err
	}
	good = true
	for _, w := range all {
		if len(r.mechanisms) > 0 && !slices.Contains(r.mechanisms, w.Mechanism) || !r.run.MatchString(w.Name) {
			continue
		}
		task := display.Begin(w.Name)
		wrong, err := w.Prove(ctx, harness, list)
		task.End("")
		if err != nil {
			return false, fmt.Errorf("%s: %w", w.Name, err)
		}
		noticed := cmp.Or(w.Upstream, "no test of client-go's") + ", and the book's " + w.Test
		if wrong != "" {
			good, noticed = false, "NOT AS ITS HEADER SAYS: "+wrong
		}
		display.Say("%-32s %s", w.Name, noticed)
	}
	return good, nil
}
