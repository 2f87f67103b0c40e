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

// Report prints the end of a run. A whole run's skips are compared with the
// provider's committed list, or replace it when update is set.
func Report(out io.Writer, root, provider string, result Result, took time.Duration, whole, update bool) error {
	for _, s := range result.Skips {
		fmt.Fprintf(out, "skip  %s\n", s)
	}
	var differences []string
	if whole && update {
		if err := skips.Write(SkipList(root, provider), provider, result.Skips); err != nil {
			return err
		}
	}
	// A failed run may have lost tests that would have skipped; its failures come first.
	if whole && !update && result.Failed == 0 {
		listed, err := skips.Read(SkipList(root, provider))
		if err != nil {
			return err
		}
		differences = skips.Compare(listed, result.Skips)
	}
	fmt.Fprintf(out, "\nOn the provider %s, in %s:\n", provider, took.Round(time.Second))
	fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", result.Passed, result.Failed, len(result.Skips))
	for _, pkg := range result.Flaky {
		fmt.Fprintf(out, "FLAKY: %s failed, and then passed: a bug, in the tests or in what they test\n", pkg)
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
			SkipList("", provider))
	}
	return nil
}
