package lab

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"time"
)

// A step that is told to end may have things to put away. The reader's own code, which mine plays, may wait for what
// never comes, and look at no context: it is not waited for that long.
const (
	grace        = 10 * time.Second
	readersGrace = 2 * time.Second
)

// errNoReturn is what a step ends with that has ended its goroutine.
var errNoReturn = errors.New("the step has ended its goroutine")

// runStep bounds a step's time, also that of one which does not return. What the reader's code does in it, panic or
// wait, is told as theirs.
func runStep(ctx context.Context, s Step, l *Lab) error {
	limited, cancel := withLimit(ctx, StepLimit, errStepLimit)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		err := errNoReturn
		defer func() { ended <- err }()
		defer func() {
			place := readersPlace(debug.Stack())
			if place == "" {
				return // a panic of the book's own is a bug, and keeps its trace
			}
			if v := recover(); v != nil {
				err = fmt.Errorf("your code has panicked: %v\n%s", v, place)
			}
		}()
		err = s.Run(limited, l)
	}()
	err := awaitStep(limited, ended)
	if err == nil {
		return nil
	}
	l.Cluster.awaitEnd(ctx)
	if cause := context.Cause(limited); cause != nil && !errors.As(err, new(stuckError)) {
		return cause
	}
	return err
}

// stuckError says of the reader's code where it was when nobody waited for it any longer.
type stuckError struct{ place string }

func (e stuckError) Error() string { return "your code has not returned\n" + e.place }

// awaitStep waits for a step, and no longer than it may take to end when it is told to.
func awaitStep(ctx context.Context, ended <-chan error) error {
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(readersGrace):
	}
	stacks := make([]byte, 1<<20)
	if place := readersPlace(stacks[:runtime.Stack(stacks, true)]); place != "" {
		return stuckError{place}
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(grace):
		return context.Cause(ctx)
	}
}

// exerciseLine is a line of an exercise in a stack.
var exerciseLine = regexp.MustCompile(`(chapters/(\d\d)-[a-z0-9-]+/exercises/(\d)-[a-z0-9-]+/exercise\.go:\d+)`)

// readersPlace is the innermost line of a stack that is the reader's, and what says more. It is empty if there is none.
func readersPlace(stack []byte) string {
	m := exerciseLine.FindSubmatch(stack)
	if m == nil {
		return ""
	}
	return fmt.Sprintf("it was at %s\nmake grade EX=%s.%s says more", m[1], m[2], m[3])
}
