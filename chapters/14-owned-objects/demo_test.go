package main

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
)

// The demo asks what will happen, and shows what the lesson says it shows. What each way makes of each trouble,
// claims/ways_test.go asserts.
func TestDemo(t *testing.T) {
	demotest.Has(t, demotest.Questions(t, demo()),
		`{…,"metadata":{…,"name":"web-2"}}`,
		"~ the set notes scratch.example.com/next: 3; its status: replicas 3", // 1
		"the UID is the set's: true, controller: true", `{…,"metadata":{…,"name":"web-3"}}`, "~ web-0, web-2",
		"~ it has run once, and made 2 > POST", "~ it has run twice, and made 4", // 2
		`{…,"metadata":{…,"name":"known-1"}} ~ it has run once, and made 2 ~ it has run twice, and made 2`,
		"names 5 5 5 0 ", "names, expectations, rank 5 5 5 2 ", // 3
		"foreign shop other shop-0 shop shop shop-1 shop shop stray shop shop lone bar nobody", // 4
		"foreign shop other shop-1 shop shop shop-2 shop shop stray shop shop lone bar nobody shop-0 bar nobody",
		"~ the run has failed: < adopt kept-", "~ left: kept-0, kept-1", // 5
		"Background the set none 0", "Orphan the set left-0, left-1 0", "Foreground its Processes none 0", // 6
		"Ready False Starting 0 of 2 Processes run; not yet: told-0, told-1 of 1", // 7
		"Stalled True Ended not started again: told-1 has ended with exit code 3 of 1",
		"~ generation 2, observedGeneration 1, replicas 2, readyReplicas 2 Ready True AllRun 2 of 2 Processes run of 1")
}

// Each failure shows what the table of the lesson says of it.
func TestDemoFaults(t *testing.T) {
	for fault, shown := range map[string][]string{
		"generate-name": {"has 2 children; the watch goes on > DELETE", "~ the first one is deleted, which was used"},
		"lost-answer": {"< the connection broke before the answer came",
			"~ 2 were wanted, and 3 were alive at one time", "< 409 Conflict",
			"~ 2 were wanted, and 2 were alive at one time"},
		"two-controllers": {"~ 2 were wanted, and 4 were alive at one time", "< 409 Conflict",
			"~ 2 were wanted, and 2 were alive at one time"},
		"stale-adoption": {"> PATCH", "~ left: none of the two"},
		"foreground":     {"Processes were made;", "and the set is still there: true"},
		"namesake":       {"SetControllerReference nothing the new set", "Claim 0 are mine the old set, which is gone"},
	} {
		t.Run(fault, func(t *testing.T) {
			demotest.Has(t, demotest.Play(t, demo(), "-fault", fault), shown...)
		})
	}
	demotest.Has(t, demotest.Refused(t, demo(), "-fault", "explode"), `there is no fault "explode"`)
	demotest.Has(t, demotest.Refused(t, demo(), "-on", "moon"), `"moon" is not upstream or book`)
}

// A fault plays on the book's own parts, too; claims/ asks for the whole table.
func TestDemoOnTheBooksParts(t *testing.T) {
	demotest.Has(t, demotest.Play(t, demo(), "-on", "book", "-fault", "lost-answer"),
		"~ 2 were wanted, and 3 were alive at one time", "~ 2 were wanted, and 2 were alive at one time")
}

// The commands of -interactive do what the chapter is about.
func TestInteractive(t *testing.T) {
	demotest.Interactive(t, demo(), "",
		demotest.Typed{Command: "get processsets,processes --show-labels"},
		demotest.Typed{Command: "scale processset yours --replicas=3",
			Shows: []string{"yours wants 3; Processes: yours-0, yours-1, yours-2 "}},
		demotest.Typed{Command: "delete process yours-0", Shows: []string{"Processes: yours-1, yours-2, yours-3"}},
		demotest.Typed{Command: "app=mine", Shows: []string{"Processes: yours-2, yours-3, yours-4"}},
		demotest.Typed{Command: "app=yours", Shows: []string{"Processes: yours-1, yours-2, yours-3 "}},
		demotest.Typed{Command: "--cascade=orphan", Shows: []string{"yours is gone; Processes: yours-"}})
}
