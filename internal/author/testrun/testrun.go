// Package testrun runs the module's tests with go test and prints what a
// reader wants of them: a line per package as it ends, all that a failing test
// said, and one closing line with the counts.
package testrun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"gotest.tools/gotestsum/testjson"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/skips"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// Options say what to run.
type Options struct {
	// Root is the repository's root, Packages the patterns below it.
	Root     string
	Packages []string
	// Run and Count are go test's -run and -count; a Count of 0 lets go test
	// answer from its cache.
	Run   string
	Count int
	// Race turns the race detector on. It needs a C compiler.
	Race bool
	// Timeout limits one package, not the run.
	Timeout time.Duration
	// Env is added to the environment of the tests.
	Env []string
	Out io.Writer
	// Again has the packages that failed run once more, one after the other. What then passes is said to be flaky.
	Again bool

	alone bool // one package at a time
}

// Result counts tests by name; a package that does not compile, or that ends
// without a verdict, counts as one failure.
type Result struct {
	Passed, Failed int
	Skips          []skips.Skip
	// Flaky are the tests that failed and then passed: "internal/lab TestStop". A package that failed outside its tests
	// is there by its path alone.
	Flaky []string

	packages map[string]counts
}

// counts are those of one package.
type counts struct {
	passed, failed int
	skips          []skips.Skip
	failures       []string // the failed tests, without their subtests
}

// add counts a package, in the place of what was counted for it before.
func (r *Result) add(pkg string, c counts) {
	before := r.packages[pkg]
	r.packages[pkg] = c
	r.Passed += c.passed - before.passed
	r.Failed += c.failed - before.failed
	r.Skips = slices.DeleteFunc(r.Skips, func(s skips.Skip) bool { return s.Package == Short(pkg) })
	r.Skips = append(r.Skips, c.skips...)
}

// failed are the packages that did not pass.
func (r *Result) failed() (packages []string) {
	for pkg, c := range r.packages {
		if c.failed > 0 {
			packages = append(packages, pkg)
		}
	}
	slices.Sort(packages)
	return packages
}

// Run runs the tests to the end and reports them. The error is about go test
// itself; failing tests are in the result.
func Run(ctx context.Context, o Options) (Result, error) {
	result, err := runOnce(ctx, o)
	if err != nil || !o.Again || result.Failed == 0 {
		return result, err
	}
	o.Packages, o.alone = result.failed(), true
	fmt.Fprintf(o.Out, "\nFLAKY OR BROKEN: %d packages failed. They run once more, one after the other.\n", len(o.Packages))
	second, err := runOnce(ctx, o)
	if err != nil {
		return result, err
	}
	for pkg, c := range second.packages {
		if c.failed == 0 && slices.Contains(o.Packages, pkg) {
			result.Flaky = append(result.Flaky, named(Short(pkg), result.packages[pkg].failures)...)
		}
		result.add(pkg, c)
	}
	slices.Sort(result.Flaky)
	result.sort()
	return result, nil
}

// named gives each failure of a package its name.
func named(pkg string, tests []string) (names []string) {
	for _, test := range tests {
		names = append(names, pkg+" "+test)
	}
	if names == nil {
		names = []string{pkg}
	}
	return names
}

func runOnce(ctx context.Context, o Options) (Result, error) {
	cmd := exec.CommandContext(ctx, "go", o.arguments()...)
	cmd.Dir = o.Root
	cmd.Env = append(os.Environ(), o.Env...)
	// go test passes an interrupt on to its children; a kill would orphan them.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	cmd.WaitDelay = 20 * time.Second
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return Result{}, err
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return Result{}, err
	}
	if err := cmd.Start(); err != nil {
		return Result{}, fmt.Errorf("starting go test: %w", err)
	}
	execution, err := testjson.ScanTestOutput(testjson.ScanConfig{
		Stdout: stdout, Stderr: stderr, Handler: newPrinter(o.Out), Stop: func() {},
		IgnoreNonJSONOutputLines: true,
	})
	ended := cmd.Wait()
	if err != nil {
		return Result{}, fmt.Errorf("reading what go test printed: %w", err)
	}
	if ctx.Err() != nil {
		return Result{}, context.Cause(ctx)
	}
	result := count(execution)
	var exit *exec.ExitError
	if ended != nil && !errors.As(ended, &exit) {
		return result, fmt.Errorf("running go test: %w", ended)
	}
	if ended != nil && result.Failed == 0 {
		return result, fmt.Errorf("go test ended with %v though no test failed; what it said is above", ended)
	}
	return result, nil
}

func (o Options) arguments() []string {
	arguments := []string{"test", "-json", "-vet=off"}
	if o.Race {
		arguments = append(arguments, "-race")
	}
	if o.Run != "" {
		arguments = append(arguments, "-run", o.Run)
	}
	if o.Count > 0 {
		arguments = append(arguments, "-count", strconv.Itoa(o.Count))
	}
	if o.Timeout > 0 {
		arguments = append(arguments, "-timeout", o.Timeout.String())
	}
	// Most tests wait, for a server or for what it sends, longer than they compute. Two packages more than there are
	// cores keep these busy.
	atATime := runtime.NumCPU() + 2
	if o.alone {
		atATime = 1
	}
	arguments = append(arguments, "-p", strconv.Itoa(atATime))
	return append(arguments, o.Packages...)
}

func count(execution *testjson.Execution) Result {
	result := Result{packages: map[string]counts{}}
	for _, name := range execution.Packages() {
		pkg := execution.Package(name)
		c := counts{passed: len(pkg.Passed), failed: len(pkg.Failed)}
		if c.failed == 0 && pkg.Result() == testjson.ActionFail {
			c.failed = 1
		}
		for _, test := range pkg.Failed {
			if !test.Test.IsSubTest() {
				c.failures = append(c.failures, test.Test.Name())
			}
		}
		for _, test := range pkg.Skipped {
			c.skips = append(c.skips, skips.Skip{
				Package: Short(name), Test: test.Test.Name(), Reason: skips.Reason(pkg.OutputLines(test)),
			})
		}
		result.add(name, c)
	}
	result.sort()
	return result
}

func (r *Result) sort() {
	slices.SortFunc(r.Skips, func(a, b skips.Skip) int { return strings.Compare(a.String(), b.String()) })
}

// Short is a package's path below the module.
func Short(pkg string) string {
	if pkg == repo.Module {
		return "."
	}
	return strings.TrimPrefix(pkg, repo.Module+"/")
}
