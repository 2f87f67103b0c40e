package exercise

import (
	"errors"
	"flag"
	"strings"
	"testing"
)

// sealFlags reads the flags of package testing before exercise.go can change os.Args, and leaves nothing through which
// it could change them later: what is parsed is not parsed again, and flag.Lookup finds copies.
func sealFlags() {
	testing.Init()
	flag.Parse()
	flag.VisitAll(func(f *flag.Flag) {
		if strings.HasPrefix(f.Name, "test.") {
			f.Value = sealed(f.Value.String())
		}
	})
}

// sealed is the value of a flag that stays as it is.
type sealed string

func (s sealed) String() string { return string(s) }

func (s sealed) Set(value string) error {
	if value != string(s) {
		return errors.New("the flags of the tests stay as the grader gave them")
	}
	return nil
}
