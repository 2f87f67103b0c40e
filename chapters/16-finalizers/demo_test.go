package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
)

// The demo asks what will happen, and shows what the lesson says it shows.
//
// covers: S0-57 S0-58 S0-60 S0-61
func TestDemo(t *testing.T) {
	out := demotest.Questions(t, demo())
	require.Equal(t, os.Geteuid() == 0, strings.Contains(out, "This program runs as root"), "it says so, if it does")
	demotest.Has(t, out,
		"~ with-a-finalizer: Terminating, finalizers [scratch.example.com/machine.", // 1
		"without a finalizer the object not found gone with a finalizer the process Terminating hello",
		"delete it again ok deleting, 1 finalizer", // 2
		"deletionTimestamp null ok deleting, 1 finalizer change its spec ok deleting, 1 finalizer",
		"add a second finalizer 422 Invalid deleting, 1 finalizer",
		"create one of its name 409 AlreadyExists deleting, 1 finalizer take the last finalizer out ok gone",
		"the same once more 404 NotFound gone apply it, with a finalizer ok a new object, 1 finalizer",
		"meanwhile: nothing a status comes one comes one goes done before update ok 409 409 409 404", // 3
		"merge patch of the list ok ok ok, lost 422 404 the same, with the version ok 409 409 409 404",
		"JSON patch by position ok ok ok ok, lost 404 the same, with a test ok ok ok 422 404",
		"apply without it ok ok ok ok ok, anew update of the status ok, kept 409 409 409 404",
		"Its condition CleanedUp is False. The reason is KeepLog, and the message: ", "not a directory", // 4
		"~ ps has no pid ", "~ diary is gone, and its log is kept: dear diary",
		"Background back-2, back-1, back-0 1 ", "Foreground all three at once 3 ", // 5
		"policy blockOwnerDeletion owner gone a gone b gone left over Background true ", // 6
		"Orphan true ", "a, 0 owners; b, 0 owners",
		"has 1 resource instances", "NamespaceFinalizersRemaining: ", // 7
		"403 Forbidden: ", "because it is being terminated", "-own is gone")
}

// Each failure shows what the table of the lesson says of it.
func TestDemoFaults(t *testing.T) {
	for fault, shown := range map[string][]string{
		"added-too-late": {"~ finalizers of lost: []", "< 404 NotFound ~ the object is gone, and pid ",
			"~ ps has no pid "},
		"no-guard": {"422 Invalid, ", "no new finalizers can be added if the object is being deleted"},
		"crash-after-cleanup": {"the log is kept: dear diary", "~ finalizers of diary: [scratch.example.com/machine.",
			"~ diary is gone; its log is what it was: dear diary", `the machine's log of diary by now: "", error <nil>`},
		"controller-gone": {"patch process last --type=merge", "-own is gone, and pid "},
		"stale-remove": {"< 404 NotFound", "< 409 Conflict", "Precondition failed: UID in precondition: ",
			"UID in object meta:"},
		"someone-elses": {"~ finalizers: [example.com/backup example.com/mine]"},
	} {
		t.Run(fault, func(t *testing.T) {
			demotest.Has(t, demotest.Play(t, demo(), "-fault", fault), shown...)
		})
	}
}

// The running example is whole: a set is applied, ps shows its processes, and when it is deleted they are gone.
func TestInteractive(t *testing.T) {
	demotest.Interactive(t, demo(), "",
		demotest.Typed{Command: "apply -f ", Shows: []string{"~ shop-0: Running, pid ", "~ shop-1: Running, pid "}},
		demotest.Typed{Command: "get processes,processsets"},
		demotest.Typed{Command: "ps -ef", Shows: []string{"sleep 777"}},
		demotest.Typed{Command: "scale processset shop", Shows: []string{"~ shop-2: Running, pid "}},
		demotest.Typed{Command: "delete processset shop", Shows: []string{"~ shop-2 is gone", "~ shop-1 is gone",
			"~ shop-0 is gone"}})
}
