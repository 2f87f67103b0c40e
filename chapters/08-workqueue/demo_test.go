package main

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
)

// updates are fewer than the demo's: a machine that is busy with other tests, and with the race detector, is slow.
const updates = 100

// The demo shows what the lesson says it shows.
func TestDemo(t *testing.T) {
	out := demotest.Play(t, demoOf(updates))
	demotest.Has(t, out,
		"updates written", // 1
		"~ one worker has menu, and three are free", // 2
		"~ menu was added 3 times; workers that have it: 1; items in the line: 0",
		"< run 1 of menu: it read write 101 < run 2 of menu: it read write 104 = ",
		"~ runs within 800 ms: 1 =", "~ runs within 1500 ms: 2 =", // 3
		"soups failed has to wait waited 1 5 ms", "▎ 2 10 ms", "▋ 3 20 ms", "8 640 ms", // 4
		"~ it succeeds in run 9, and is forgotten: its number of failures is 0",
		"< ShutDown has returned; with workers: 4; in the line: 6", // 5
		"~ the program waits for its workers; processed: 10",
		"< ShutDownWithDrain has not returned after 300ms; with workers: 4; in the line: 6",
		"< ShutDownWithDrain has returned; with workers: 0; in the line: 0; processed: 10",
		"< queue: · · · · · · · · · · pies < priority queue: · pies · · · · · · · · ·", // 6
	)
	require.Equal(t, 4, strings.Count(out, " updates written, "), "how far it is, each quarter of the way")
	require.Less(t, strings.Count(out, "> PATCH"), 10, "not each update shows itself")
	collapses(t, out)
}

// However fast the machine is, and however many updates it has time for: no two workers have one key, the last run of
// each key sees its last version, and there are fewer runs than updates, but no fewer than keys. On a busy machine one
// key may be run for each of its updates; all are not.
func collapses(t *testing.T, out string) {
	t.Helper()
	rows := regexp.MustCompile(`(?m)^ +[a-z]+ +(\d+) +\d+ +(\d+) +1 +(\d+) +(\d+)$`).FindAllStringSubmatch(out, -1)
	require.Len(t, rows, len(objects), out)
	allWritten, allRuns := 0, 0
	for _, row := range rows {
		written, err := strconv.Atoi(row[1])
		require.NoError(t, err)
		runs, err := strconv.Atoi(row[2])
		require.NoError(t, err)
		require.LessOrEqual(t, written, updates, out)
		require.LessOrEqual(t, runs, written, out)
		require.Positive(t, runs, out)
		allWritten, allRuns = allWritten+written, allRuns+runs
		require.Equal(t, row[3], row[4], "the last version, and what the last run saw:\n%s", out)
	}
	require.Less(t, allRuns, allWritten, out)
}

func TestDemoAsksWhatWillHappen(t *testing.T) { demotest.Questions(t, demoOf(10)) }

// Each failure shows what the table of the lesson says of it.
func TestDemoFaults(t *testing.T) {
	for fault, shown := range map[string][]string{
		"no-queue": {"a goroutine for each event 3 2 1 a channel and four workers 3 2 1 " +
			"the queue and four workers 2 1 3"},
		"done-forgotten": {"since then, runs with menu 0 0 0 items in the line 0 0 0 workqueue_depth 1 1 1",
			"< ShutDownWithDrain has not returned after 300ms"},
		"forget-forgotten": {"1 5 ms 5 ms ▎ 2 5 ms 10 ms ▋", "8 5 ms 640 ms ███",
			"the wait after failure 20 is 1000 s"},
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			demotest.Has(t, demotest.Play(t, demo(), "-fault", fault), shown...)
		})
	}
	demotest.Has(t, demotest.Refused(t, demo(), "-fault", "explode"), `there is no fault "explode"`)
}

// Who tries again at once asks more often.
func TestAHotLoop(t *testing.T) {
	out := demotest.Play(t, demo(), "-fault", "add-in-place-of-rate-limited")
	rows := regexp.MustCompile(`(?m)^ +(Add|AddRateLimited) +(\d+)$`).FindAllStringSubmatch(out, -1)
	require.Len(t, rows, 2, out)
	at, err := strconv.Atoi(rows[0][2])
	require.NoError(t, err)
	limited, err := strconv.Atoi(rows[1][2])
	require.NoError(t, err)
	require.LessOrEqual(t, limited, 8, "5 ms, 10 ms and so on to 640 ms are more than a second:\n%s", out)
	require.Greater(t, at, 2*limited, out)
}

// What has the lowest priority is not processed while there is anything else, and is when it has the same.
func TestStarved(t *testing.T) {
	out := demotest.Play(t, demo(), "-fault", "starved")
	require.Regexp(t, `(?m)^ +-100 +\d+ +0$`, out)
	require.Regexp(t, `(?m)^ +0 +\d+ +1$`, out)
}

// The commands of -interactive do what the chapter is about.
func TestInteractive(t *testing.T) {
	demotest.Interactive(t, demo(), "",
		demotest.Typed{Command: "create cm fig", Shows: []string{"fig at version"}},
		demotest.Typed{Command: "annotate cm fig", Shows: []string{"runs 2"}},
		demotest.Typed{Command: "patch cm fig", Shows: []string{"failed after", ", having waited "}},
		demotest.Typed{Command: "delete cm fig", Shows: []string{"fig is not there"}})
}
