package upstreamtests

import (
	"context"
	"slices"
	"sync"
)

// A Result is what came of a row.
type Result struct {
	Row     Row
	Outcome Outcome // of the run that counts; nothing if the test did not run
	LeftOut bool    // it has a race of its own, and the race detector is on
	// Flaky is what a first run said, where the second one is as the list says.
	Flaky string
}

// Unexpected says whether the list says something else.
func (r Result) Unexpected() bool {
	switch {
	case !r.Row.How.Runs() || r.LeftOut:
		return false
	case r.Outcome.Broken:
		return true
	case r.Row.Sometimes:
		return false
	case r.Outcome.Passed:
		return r.Row.Fails != ""
	}
	return r.Row.Fails == ""
}

// A Score counts the results of a mechanism.
type Score struct {
	Passed, Failed, NotOffered, NotApplicable, LeftOut int
}

// Count counts results by mechanism.
func Count(results []Result) map[string]*Score {
	scores := map[string]*Score{}
	for _, r := range results {
		s := scores[r.Row.Mechanism]
		if s == nil {
			s = &Score{}
			scores[r.Row.Mechanism] = s
		}
		switch {
		case r.Row.How == NotOffered:
			s.NotOffered++
		case r.Row.How == NotApplicable:
			s.NotApplicable++
		case r.LeftOut:
			s.LeftOut++
		case r.Outcome.Passed:
			s.Passed++
		default:
			s.Failed++
		}
	}
	return scores
}

// RunOptions say how the tests are run.
type RunOptions struct {
	Race     bool // the binaries have the race detector
	Parallel int
	// Again has a test run once more, after the others, whose outcome is not the list's.
	Again bool
	// Each is called with each result, as it comes; never twice at the same time.
	Each func(Result)
}

// RunAll runs the tests of rows, each in the binary of its mechanism. The results are in the rows' order.
func RunAll(ctx context.Context, binaries map[string]string, rows []Row, o RunOptions) []Result {
	results := make([]Result, len(rows))
	var lock sync.Mutex
	run := func(i int) {
		outcome := Run(ctx, binaries[rows[i].Mechanism], rows[i].Test)
		lock.Lock()
		defer lock.Unlock()
		results[i].Outcome = outcome
		o.Each(results[i])
	}
	var running sync.WaitGroup
	places := make(chan struct{}, o.Parallel)
	for i, row := range rows {
		results[i] = Result{Row: row, LeftOut: row.NoRace && o.Race && row.How.Runs()}
		switch {
		case !row.How.Runs() || results[i].LeftOut:
		default:
			places <- struct{}{}
			running.Go(func() {
				defer func() { <-places }()
				run(i)
			})
		}
	}
	running.Wait()
	if o.Again && ctx.Err() == nil {
		for i, r := range results {
			if r.Unexpected() {
				results[i] = again(ctx, binaries[r.Row.Mechanism], r)
			}
		}
	}
	return results
}

// again runs a test alone.
func again(ctx context.Context, binary string, first Result) Result {
	second := first
	second.Outcome = Run(ctx, binary, first.Row.Test)
	if !second.Unexpected() {
		second.Flaky = first.Outcome.Says
	}
	return second
}

// AnyUnexpected says whether a result is not as the list says.
func AnyUnexpected(results []Result) bool { return slices.ContainsFunc(results, Result.Unexpected) }
