package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
)

// The demo shows what the lesson says it shows.
func TestDemo(t *testing.T) {
	t.Parallel() // it waits
	demotest.Has(t, demotest.Questions(t, demo()),
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

// leaves is what a failure leaves behind, where a pattern can say it. The versions differ by run.
var leaves = map[string]string{
	"lost-delete":      `menu \d+, as the informer knew it`,
	"failed-process":   `< hours: Updated \d+ ~ DeltaFIFO's .* < Updated hours \d+ ~ RealFIFO's`, // and menu does not come
	"no-known-objects": `DeltaFIFO's consumer has hours \d+, menu \d+ ~ RealFIFO's consumer has hours \d+ =`,
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
			out := demotest.Play(t, demo(), "-fault", fault)
			demotest.Has(t, out, shown...)
			require.Regexp(t, leaves[fault], strings.Join(strings.Fields(out), " "))
		})
	}
	demotest.Has(t, demotest.Refused(t, demo(), "-fault", "explode"), `there is no fault "explode"`)
}

// Of two consumers, the first writes last, and the store goes back to the version that the first popped.
func TestTwoConsumersTakeTheStoreBack(t *testing.T) {
	t.Parallel()
	out := strings.Join(strings.Fields(demotest.Play(t, demo(), "-fault", "two-consumers")), " ")
	versions := regexp.MustCompile(`RealFIFO has Updated menu (\d+) < the second consumer has Updated menu (\d+) ` +
		`~ the store has menu (\d+) ~ the store has menu (\d+)`).FindStringSubmatch(out)
	require.Len(t, versions, 5, out)
	require.NotEqual(t, versions[1], versions[2])
	require.Equal(t, []string{versions[2], versions[1]}, versions[3:])
}

// The commands of -interactive do what the chapter is about.
func TestInteractive(t *testing.T) {
	demotest.Interactive(t, demo(), "~ Replace",
		demotest.Typed{Command: "create cm fig",
			Shows: []string{"~ Add fig", "RealFIFO Added fig", "DeltaFIFO fig: Added"}},
		demotest.Typed{Command: "annotate cm fig", Shows: []string{"~ Update fig", "< DeltaFIFO fig: Updated"}},
		demotest.Typed{Command: "delete cm fig", Shows: []string{"~ Delete fig"}})
}
