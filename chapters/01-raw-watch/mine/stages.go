package main

import (
	"errors"
	"fmt"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// later is what a step meets that the reader's code need not do before that stage. Stage 1 has no such excuse: without
// it a step has nothing to run, and fails.
type later struct {
	exercise string
	stage    int
	met      string
}

// Error implements error. A step does not fail with it.
func (e *later) Error() string {
	return fmt.Sprintf("Stage %d of %s is still to be written: %s. make grade EX=%s says more.",
		e.stage, e.exercise, e.met, e.exercise)
}

// concludes ends a step: with what all of it shows, or with the stage that is still to be written.
func concludes(l *lab.Lab, err error, all string) error {
	var stage *later
	switch {
	case errors.As(err, &stage):
		l.Conclude("%v", stage)
	case err != nil:
		return err
	default:
		l.Conclude("%s", all)
	}
	return nil
}

// lower is the one of the lower stage, and of two alike the first.
func lower(one, other *later) *later {
	if one == nil || other != nil && other.stage < one.stage {
		return other
	}
	return one
}
