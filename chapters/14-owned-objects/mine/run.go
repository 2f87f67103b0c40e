package main

import (
	"fmt"
	"time"
)

// run is how long something may take that should come.
type run struct{ patience time.Duration }

// wrong is an error that says who knows more.
func wrong(exercise, format string, args ...any) error {
	return fmt.Errorf("%s\nmake grade EX=%s says more", fmt.Sprintf(format, args...), exercise)
}
