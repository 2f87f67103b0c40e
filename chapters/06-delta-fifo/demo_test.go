package main

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
)

// The demo shows what the lesson says it shows.
func TestDemo(t *testing.T) {
	t.Parallel() // it waits
	demotest.Has(t, demotest.Play(t, demo()),
		"~ Replace menu", "~ Update menu", "~ Add hours", "~ Delete prices", // 1
		"ReplacedAll [menu, prices]",
		"deltas that Pop calls part of the first list 5 1",
		"synced before the last of them is processed yes no",
		"< FAULT expired", "menu: Deleted (tombstone) ReplacedAll [hours]", // 2
		"< DeltaFIFO's consumer calls OnUpdate(hours), OnUpdate(hours), OnDelete(tombstone of menu)",
		"< RealFIFO's consumer calls OnUpdate(hours), OnDelete(tombstone of menu), OnUpdate(hours)",
		"~ Resync", "SyncAll", "rules: Sync", // 3
		"~ both handlers work on menu", "a handler goes on with menu for 500 ms 500 ms", // 4
	)
}

func TestDemoAsksWhatWillHappen(t *testing.T) {
	t.Parallel()
	demotest.Questions(t, demo())
}

// Each failure shows what the table of the lesson says of it.
func TestDemoFaults(t *testing.T) {
	for fault, shown := range map[string][]string{
		"lost-delete": {"~ OnDelete(cache.DeletedFinalStateUnknown)",
			"< panic: interface conversion: interface {} is cache.DeletedFinalStateUnknown, not *v1.ConfigMap",
			"/menu > object.(cache.DeletedFinalStateUnknown).Obj", "data: map[]"},
		"failed-process": {"> DeltaFIFO: Pop, with a function that fails < error: the disk is full",
			"> RealFIFO: Pop, with a function that fails < error: the disk is full"},
		"two-consumers":    {"< the first consumer of RealFIFO has Updated menu", "< the second consumer has Updated menu"},
		"no-known-objects": {"ReplacedAll [hours]", "~ DeltaFIFO's consumer has hours"},
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			demotest.Has(t, demotest.Play(t, demo(), "-fault", fault), shown...)
		})
	}
	demotest.Has(t, demotest.Refused(t, demo(), "-fault", "explode"), `there is no fault "explode"`)
}
