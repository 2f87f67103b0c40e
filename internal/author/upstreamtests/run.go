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
		o.Says = "it does not end"
	case err != nil:
		o.Says = complaint(o.Output, err.Error())
	case !regexp.MustCompile(`(?m)^--- PASS: ` + test + ` `).MatchString(o.Output):
		o.Says = "it did not run, or skipped itself"
	default:
		o.Passed = true
	}
	return o
}

// complaints are the lines that say why a process failed, the most telling first.
var complaints = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^.*WARNING: DATA RACE`),
	regexp.MustCompile(`(?m)^(?:panic|fatal error): .*`),
	regexp.MustCompile(`(?m)^goleak: .*`),
	regexp.MustCompile(`(?m)^ +[\w-]+_test\.go:\d+: .*`),
	regexp.MustCompile(`(?m)^ *--- FAIL: .*`),
}

// complaint is the line of an output that says why: the last of the most telling kind, since a test logs before it
// fails.
func complaint(output, otherwise string) string {
	for _, c := range complaints {
		if lines := c.FindAllString(output, -1); len(lines) > 0 {
			return strings.Join(strings.Fields(lines[len(lines)-1]), " ")
		}
	}
	return otherwise
}
