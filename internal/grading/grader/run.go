package grader

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// Limits bound what a learner's code may take.
type Limits struct {
	Test    time.Duration // one test
	Process time.Duration // all tests of one exercise
	Output  int           // bytes printed
	Lines   int           // lines printed: each of them is an event to be read
	Build   time.Duration // processor time of the compiler, or time where that can't be known; see [variant.compile]
	Memory  int64         // bytes that the process of the tests holds, twice as much under the race detector
}

// DefaultLimits are long for tests that take milliseconds, and short for somebody who waits.
var DefaultLimits = Limits{
	Test: 6 * time.Second, Process: 12 * time.Second, Build: 6 * time.Second,
	Output: 4 << 20, Lines: 100_000, Memory: 1 << 30,
}

// OrDefault fills in what is not set from [DefaultLimits].
func (l Limits) OrDefault() Limits {
	return Limits{
		Test:    cmp.Or(l.Test, DefaultLimits.Test),
		Process: cmp.Or(l.Process, DefaultLimits.Process),
		Output:  cmp.Or(l.Output, DefaultLimits.Output),
		Lines:   cmp.Or(l.Lines, DefaultLimits.Lines),
		Build:   cmp.Or(l.Build, DefaultLimits.Build),
		Memory:  cmp.Or(l.Memory, DefaultLimits.Memory),
	}
}

// A record is what came of running the tests.
type record struct {
	events  []event
	secret  string // what a test that came to its end gives back
	output  string // all of it, up to the limit
	exit    int    // exit status, -1 for a signal
	tooMuch string // the limit of output that was passed, in words
	passed  over   // another limit that was passed
}

// event is one of test2json's.
type event struct {
	Action  string
	Test    string
	Output  string
	Key     string
	Value   string
	Elapsed float64
}

// run runs the test binary in a process group of its own, which is killed at the end, whatever is left in it. Stages
// are climbed in one process, which ends with the first test that fails: a process for each would begin with what code
// of an earlier stage left on the disk.
func (v variant) run(ctx context.Context, given *handout, count int, limits Limits) (record, error) {
	dir, err := v.workspace()
	if err != nil {
		return record{}, err
	}
	cmd := exec.Command(v.binary(),
		"-test.v=test2json", "-test.paniconexit0=true", fmt.Sprintf("-test.count=%d", count),
		"-test.timeout="+limits.Process.String(),
		"-test.run=^("+strings.Join(given.tests, "|")+")$", fmt.Sprintf("-test.failfast=%v", len(given.stages) > 0))
	cmd.Dir = dir
	secret := rand.Text()
	cmd.Stdin = strings.NewReader(secret + "\n")
	cmd.Env = v.environment(limits)
	running, stop := context.WithCancel(ctx)
	defer stop()
	out := &limitedBuffer{max: limits.Output, maxLines: limits.Lines, full: stop}
	cmd.Stdout, cmd.Stderr = out, out
	b := bound{wall: limits.Process, memory: limits.Memory}
	if v.race {
		b.memory *= 2 // for each byte, what the detector knows of it
	}
	passed, err := runGroup(running, cmd, b)
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return record{}, ctx.Err()
	case err != nil && passed == within && out.over() == "" && !errors.As(err, &exit):
		return record{}, fmt.Errorf("run the tests: %w", err)
	}
	r := record{secret: secret, output: out.text(), exit: cmd.ProcessState.ExitCode(),
		tooMuch: out.over(), passed: passed}
	r.events, err = parseEvents(ctx, r.output)
	return r, err
}

// environment gives the learner's code a home of its own and none of the caller's variables.
func (v variant) environment(limits Limits) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + v.scratch, "TMPDIR=" + v.scratch,
		"GOTRACEBACK=all",
		"GORACE=atexit_sleep_ms=50", // instead of a second for each process
		exercise.GradedEnv + "=" + exercise.GradedBySecret,
		exercise.LimitEnv + "=" + limits.Test.String(),
	}
}

// midLine finds a mark of package testing's that follows what somebody printed without ending the line. Where that was
// 4096 bytes, or 8192, as a full buffer has, test2json overlooks it.
var midLine = regexp.MustCompile(`([^\n])\x16`)

// parseEvents has test2json read the output, as `go test -json` has, and keeps the events that count.
func parseEvents(ctx context.Context, output string) ([]event, error) {
	tool, err := test2json()
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd := exec.CommandContext(ctx, tool, "-t")
	cmd.Stdin = strings.NewReader(midLine.ReplaceAllString(output, "$1\n\x16"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("read the tests' output: %w", err)
	}
	events, err := decodeEvents(out)
	if err != nil {
		stop() // it would wait for somebody to read on
	}
	if err := errors.Join(err, cmd.Wait()); err != nil {
		return nil, fmt.Errorf("read the tests' output: %w", err)
	}
	return events, nil
}

func decodeEvents(r io.Reader) (events []event, err error) {
	for dec := json.NewDecoder(r); ; {
		var e event
		if err := dec.Decode(&e); errors.Is(err, io.EOF) {
			return events, nil
		} else if err != nil {
			return nil, err
		}
		if e.Test != "" || e.isEnd() {
			events = append(events, e)
		}
	}
}

// isEnd: package testing prints PASS or FAIL as its last word, of no test.
func (e event) isEnd() bool {
	return e.Test == "" && e.Action == "output" && (e.Output == "PASS\n" || e.Output == "FAIL\n")
}
