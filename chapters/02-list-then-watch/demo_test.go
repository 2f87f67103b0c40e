package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
)

// The demo shows what the lesson says it shows: each request as it was sent, the view's own changes apart from what the
// server said, and a view that is right in the end.
func TestDemo(t *testing.T) {
	t.Parallel() // it waits
	out := demotest.Play(t, demo())
	demotest.Has(t, out,
		// 1
		"?resourceVersionMatch=NotOlderThan&sendInitialEvents=false&timeoutSeconds=1 &watch=true "+
			"< end of the watch after a second; events: 0",
		"< ADDED plum", "events: 1",
		// 2: the list says nothing of ADDED, the view does
		"> GET .../configmaps?labelSelector=fire&limit=500 ~ ADDED cm-0",
		"~ the view is the list",
		"< FAULT stall: no byte from here on, and no end = stalled: watch again",
		"The view equals a fresh LIST.",
		"300 requests under fire, seed 1, played in", // 3
		"LISTs 142 0", // 4
	)
	require.NotContains(t, out, "< ADDED    cm-", "what the view makes of a list was not sent")
}

// What is asked of the demo's own script is not asked of another.
func TestAnotherScriptHasNoQuestion(t *testing.T) {
	script, err := demo().FaultFor("2.3 cut; 3 away 2")
	require.NoError(t, err)
	for _, f := range append(demo().Faults, script) {
		require.Empty(t, f.Steps[0].Question, f.Name)
	}
}

func TestDemoAsksWhatWillHappen(t *testing.T) {
	demotest.Questions(t, demo())
}

// A kind of fault, a script and a seed each change what is played, and nothing else knows of it.
func TestDemoFaults(t *testing.T) { // not in parallel: each plays hundreds of requests, and a step has a limit
	demotest.Has(t, demotest.Play(t, demo(), "-fault", "stall", "-seed", "7"),
		"── 2/4 Break the connection", "seed 7", "── 4/4 300 requests under fire", "fault times stall ")
	out := demotest.Play(t, demo(), "-fault", "2.2 cut; 3 away 2")
	demotest.Has(t, out, "── 2/4 Break the connection", "< FAULT cut:", "< FAULT away:",
		"The view equals a fresh LIST.")
	require.NotContains(t, out, "── 3/4", "a script is for the narrated step alone")
	demotest.Has(t, demotest.Refused(t, demo(), "-fault", "explode"),
		`there is no fault "explode"; there are cut, truncate,`, `or a script such as "2.3 cut; 3 away 2"`)
	misspelled := demotest.Refused(t, demo(), "-fault", "2.3 cutt")
	demotest.Has(t, misspelled, `! fault "2.3 cutt": there is no fault "cutt"; there are cut, truncate,`)
	require.Equal(t, 2, strings.Count(misspelled, "truncate"), "in the sentence and in the usage")
	demotest.Has(t, demotest.Play(t, demo(), "-fault", "20 cut"),
		"= 1 of the script's 1 faults never got its turn: there were only 2 requests.")
}

// The commands of -interactive do what the chapter is about.
func TestInteractive(t *testing.T) {
	demotest.Interactive(t, demo(), "the view is the list",
		demotest.Typed{Command: "create cm fig", Shows: []string{"~ ADDED fig"}},
		demotest.Typed{Command: "label cm fig", Shows: []string{"~ MODIFIED fig"}},
		demotest.Typed{Command: "delete cm fig", Shows: []string{"~ DELETED fig"}})
}
