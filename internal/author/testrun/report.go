package testrun

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/skips"
)

// ErrFailed is what a run with failing tests ends with; what failed is printed.
var ErrFailed = errors.New("tests failed")

// SkipList is the committed list of the tests that skip on a provider.
func SkipList(root, provider string) string {
	return filepath.Join(root, "internal", "testkit", "skips", provider+".txt")
}

// Ended is a run of which [Report] tells.
type Ended struct {
	Root, Provider string
	Part           Part
	Took           time.Duration
	// A whole run's skips are compared with the provider's committed list, or replace it when Update is set. Tests for
	// authors run on every machine that has what they name, so they have no list.
	Whole, Update bool
}

// Report prints the end of a run.
func Report(out io.Writer, result Result, run Ended) error {
	for _, s := range result.Skips {
		fmt.Fprintf(out, "skip  %s\n", s)
	}
	var differences []string
	if run.Whole && run.Update {
		if err := skips.Write(SkipList(run.Root, run.Provider), run.Provider, result.Skips); err != nil {
			return err
		}
	}
	// A failed run may have lost tests that would have skipped; its failures come first.
	if run.Whole && !run.Update && result.Failed == 0 {
		var listed []string
		if run.Part != ForAuthors {
			var err error
			if listed, err = skips.Read(SkipList(run.Root, run.Provider)); err != nil {
				return err
			}
		}
		differences = skips.Compare(listed, result.Skips)
	}
	fmt.Fprintf(out, "\nOn the provider %s, in %s:\n", run.Provider, run.Took.Round(time.Second))
	fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", result.Passed, result.Failed, len(result.Skips))
	for _, test := range result.Flaky {
		fmt.Fprintf(out, "FLAKY: %s failed, and then passed: a bug, in the test or in what it tests\n", test)
	}
	if result.Failed > 0 {
		return ErrFailed
	}
	if len(differences) > 0 {
		for _, d := range differences {
			fmt.Fprintln(out, "  "+d)
		}
		return fmt.Errorf("the skipped tests are not those of %s; mend the test, or run with -update and commit the "+
			"list",
			SkipList("", run.Provider))
	}
	return nil
}
