package upstreamtests

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPlayed is what the other tests run in a process of its own. It does what the environment says.
func TestPlayed(t *testing.T) {
	switch os.Getenv("PLAYED") {
	case "skip":
		t.Skip("asked for")
	case "fail":
		t.Log("something else")
		t.Error("two is not three")
	case "panic":
		panic("no more")
	case "exit":
		os.Exit(0)
	}
}

func TestHowATestEnds(t *testing.T) {
	for played, want := range map[string]Outcome{
		"pass":  {Passed: true},
		"fail":  {Says: "two is not three"},
		"panic": {Broken: true, Says: "panic: no more [recovered, repanicked]"},
		"exit":  {Broken: true, Says: "it did not run, or skipped itself"},
		"skip":  {Broken: true, Says: "it did not run, or skipped itself"},
	} {
		t.Setenv("PLAYED", played)
		o := Run(t.Context(), os.Args[0], "TestPlayed")
		assert.Equal(t, want.Passed, o.Passed, played)
		assert.Equal(t, want.Broken, o.Broken, played)
		assert.Contains(t, o.Says, want.Says, played)
	}
	assert.False(t, Run(t.Context(), os.Args[0], "TestNone").Passed, "a test that is not there")
	assert.False(t, Run(t.Context(), "/none/none.test", "TestPlayed").Passed, "a binary that is not there")
}

func TestARaceIsSaidBeforeAllElse(t *testing.T) {
	output := "    a_test.go:7: expected 3\n==================\nWARNING: DATA RACE\n--- FAIL: TestA\n"
	says, broken := complaint(output, "")
	assert.Equal(t, "WARNING: DATA RACE", says)
	assert.True(t, broken)
	says, broken = complaint("nothing", "exit status 2")
	assert.Equal(t, "exit status 2", says)
	assert.True(t, broken)
}

func TestWhatTheListDoesNotSayIsUnexpected(t *testing.T) {
	runs, fails := Row{How: Direct}, Row{How: Direct, Fails: "x"}
	sometimes := Row{How: Direct, Fails: "x", Sometimes: true}
	pass, fail, broken := Outcome{Passed: true}, Outcome{}, Outcome{Broken: true}
	for name, c := range map[string]struct {
		result Result
		want   bool
	}{
		"it passes":                             {Result{Row: runs, Outcome: pass}, false},
		"it fails":                              {Result{Row: runs, Outcome: fail}, true},
		"it fails, as listed":                   {Result{Row: fails, Outcome: fail}, false},
		"it is listed as failing, and panics":   {Result{Row: fails, Outcome: broken}, true},
		"sometimes it panics":                   {Result{Row: sometimes, Outcome: broken}, true},
		"it passes, and is listed as failing":   {Result{Row: fails, Outcome: pass}, true},
		"sometimes it fails":                    {Result{Row: sometimes, Outcome: fail}, false},
		"sometimes it passes":                   {Result{Row: sometimes, Outcome: pass}, false},
		"it does not run":                       {Result{Row: Row{How: NotOffered}}, false},
		"it is left out":                        {Result{Row: runs, LeftOut: true}, false},
		"it is left out, and listed as failing": {Result{Row: fails, LeftOut: true}, false},
	} {
		assert.Equal(t, c.want, c.result.Unexpected(), name)
	}
}

func TestResultsAreInTheListsOrderAndCounted(t *testing.T) {
	t.Setenv("PLAYED", "pass")
	rows := []Row{
		{Mechanism: "store", Test: "TestPlayed", How: Direct, Synctest: true},
		{Mechanism: "store", Test: "TestNone", How: Direct},
		{Mechanism: "store", Test: "TestX", How: NotOffered},
		{Mechanism: "fifo", Test: "TestPlayed", How: Rewrite, NoRace: true},
		{Mechanism: "fifo", Test: "TestX", How: NotApplicable},
	}
	var each []string
	results := RunAll(t.Context(), map[string]string{"store": os.Args[0], "fifo": os.Args[0]}, rows,
		RunOptions{Race: true, Parallel: 2, Again: true, Each: func(r Result) { each = append(each, r.Row.Test) }})
	for i, r := range results {
		assert.Equal(t, rows[i], r.Row)
	}
	assert.ElementsMatch(t, []string{"TestNone", "TestPlayed"}, each)
	assert.True(t, AnyUnexpected(results), "TestNone is not there")
	assert.Empty(t, results[1].Flaky, "it failed twice")
	scores := Count(results)
	assert.Equal(t, &Score{Passed: 1, Failed: 1, NotOffered: 1}, scores["store"])
	assert.Equal(t, &Score{LeftOut: 1, NotApplicable: 1}, scores["fifo"])
}

// TestAtTheSecondTime plays a test that fails once.
func TestAtTheSecondTime(t *testing.T) {
	file := os.Getenv("PLAYED_ONCE")
	if file == "" {
		return // nobody plays
	}
	if _, err := os.Stat(file); err != nil {
		require.NoError(t, os.WriteFile(file, nil, 0o600))
		t.Fatal("the first time")
	}
}

func TestWhatFailsOnceIsFlaky(t *testing.T) {
	t.Setenv("PLAYED_ONCE", t.TempDir()+"/played")
	rows := []Row{{Mechanism: "store", Test: "TestAtTheSecondTime", How: Direct}}
	results := RunAll(context.Background(), map[string]string{"store": os.Args[0]}, rows,
		RunOptions{Parallel: 1, Again: true, Each: func(Result) {}})
	assert.False(t, AnyUnexpected(results))
	assert.Contains(t, results[0].Flaky, "the first time")
}
