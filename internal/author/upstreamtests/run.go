package upstreamtests

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// An Outcome is how one test ended.
type Outcome struct {
	Passed bool
	// Broken says that it failed by a data race, a panic, a goroutine that was left behind, or did not end: no
	// difference that a chapter may have on purpose.
	Broken bool
	Says   string // if it did not pass: a line that says why
	Output string
	Took   time.Duration
}

// patience is for one test: the longest takes ten seconds, and more on a busy machine.
const patience = 3 * time.Minute

// Run runs one test in a process of its own.
func Run(ctx context.Context, binary, test string) Outcome {
	ctx, stop := context.WithTimeout(ctx, patience+15*time.Second)
	defer stop()
	cmd := exec.CommandContext(ctx, binary, "-test.run", "^"+test+"$", "-test.v", "-test.timeout", patience.String())
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	cmd.WaitDelay = 5 * time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	began := time.Now()
	err := cmd.Run()
	o := Outcome{Output: out.String(), Took: time.Since(began)}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		o.Broken, o.Says = true, "it does not end"
	case err != nil:
		o.Says, o.Broken = complaint(o.Output, err.Error())
	case !regexp.MustCompile(`(?m)^--- PASS: ` + test + ` `).MatchString(o.Output):
		o.Broken, o.Says = true, "it did not run, or skipped itself"
	default:
		o.Passed = true
	}
	return o
}

// complaints are the lines that say why a process failed, the most telling first.
var complaints = []struct {
	line   *regexp.Regexp
	broken bool
}{
	{regexp.MustCompile(`(?m)^.*WARNING: DATA RACE`), true},
	{regexp.MustCompile(`(?m)^(?:panic|fatal error): .*`), true},
	{regexp.MustCompile(`(?m)^goleak: .*`), true},
	{regexp.MustCompile(`(?m)^ +[\w-]+_test\.go:\d+: .*`), false},
	{regexp.MustCompile(`(?m)^ *--- FAIL: .*`), false},
}

// complaint is the line of an output that says why: the last of the most telling kind, since a test logs before it
// fails.
func complaint(output, otherwise string) (says string, broken bool) {
	for _, c := range complaints {
		if lines := c.line.FindAllString(output, -1); len(lines) > 0 {
			return strings.Join(strings.Fields(lines[len(lines)-1]), " "), c.broken
		}
	}
	return otherwise, true
}
