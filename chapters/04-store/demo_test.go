package main

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
)

// small is the demo about fewer objects: the race detector makes each of them dear.
func small() lab.Demo { return demo(1000) }

// The demo shows what the lesson says it shows.
func TestDemo(t *testing.T) {
	t.Parallel() // it waits
	demotest.Has(t, demotest.Play(t, small()),
		"~ Replace menu, prices;", "~ Add hours;", "~ Delete prices;", // 1
		"the same pointer: true", `configmap "prices" not found`,
		"a team, by the index 10", "a team, by a label selector 10", "all of them 1,000", // 2
		"generations found in one read, at most 1 1",      // 3
		"~ the detector compares: 0 objects have changed", // 4
		"~ index: red has menu, prices; blue has nothing",
		`metadata.labels[team]: "red" -> "blue"`,
		"< received since the last comparison: < 04-store.billing (step4_catch.go:",
		"< 04-store.handOver (step4_catch.go:",
		"< received before that, and perhaps still held: < 04-store.audit (step4_catch.go:",
	)
}

func TestDemoAsksWhatWillHappen(t *testing.T) {
	demotest.Questions(t, small())
}

// Each failure shows what the table of the lesson says of it.
func TestDemoFaults(t *testing.T) {
	for fault, shown := range map[string][]string{
		"shared": {"< billing reads team=blue from the store, at", "< the API server has team=red, at",
			"~ Update menu;", "< billing reads team=red from the store, at"},
		"lying-index": {"ours: ~ menu says blue; index: red has menu, prices; blue has nothing " +
			"~ menu is deleted; index: red has prices, and an object that is nil",
			"client-go: ~ menu says blue;", "blue has nothing ~ menu is deleted;"},
		"failing-index": {"> ours: Update(menu, price=three) < error:",
			`~ menu has price=3; the index has ["menu"] under 3`,
			"> client-go: Update(menu, price=three) < panic:",
			`~ menu has price=three; the index has ["menu"] under 3`},
		"empty-sets": {"100,000 10 100,000 10", "= 10 objects are left."},
	} {
		t.Run(fault, func(t *testing.T) {
			demotest.Has(t, demotest.Play(t, small(), "-fault", fault), shown...)
		})
	}
	demotest.Has(t, demotest.Refused(t, small(), "-fault", "explode"), `there is no fault "explode"`)
}

// The commands of -interactive do what the chapter is about.
func TestInteractive(t *testing.T) {
	demotest.Interactive(t, small(), "~ Replace nothing",
		demotest.Typed{Command: "create cm fig", Shows: []string{"~ Add fig"}},
		demotest.Typed{Command: "label cm fig", Shows: []string{"~ Update fig", "~ team red: fig"}},
		demotest.Typed{Command: "delete cm fig", Shows: []string{"~ Delete fig"}})
}
