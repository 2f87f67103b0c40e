package grader_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
)

// TestLongTexts: a megabyte is wrapped in the time that it takes to read it, not in that time squared.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	start := time.Now()
	grader.Print(&out, grader.Result{Status: grader.Failed,
		Failure: &grader.Failure{Happened: strings.Repeat("é", 2<<20)}}, false)
	if took := time.Since(start); took > 20*time.Second { // 0.1 s; squared, minutes
		t.Errorf("it took %v", took)
	}
	if n := strings.Count(out.String(), "é"); n != 2<<20 {
		t.Errorf("%d letters of %d", n, 2<<20)
	}
}
