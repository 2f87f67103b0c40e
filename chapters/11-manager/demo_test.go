package main

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
)

// shows is what the steps show on any parts.
var shows = []string{
	"> controller: POST north/menu 201 Created > controller: POST south/menu 201 Created", // 1
	"> controller: PUT north/menu 200 OK > controller: PUT south/menu 200 OK",
	"~ it has asked for configmaps, a watch ~ it has asked for namespaces, a watch ~ GETs of single ConfigMaps: 0",
	"~ a new one begins > controller: DELETE north/menu 200 OK > controller: DELETE south/menu 200 OK",
	"nil Forget 0s RequeueAfter: 100ms Forget, AddAfter 100ms 0s", // 3
	"Requeue: true AddRateLimited 0s", "an error AddRateLimited 0s", "an error and RequeueAfter: 1h AddRateLimited 0s",
	"a TerminalError nothing 0s", "a panic AddRateLimited 0s",
	"*v1.ConfigMap 2 first, second *unstructured.Unstructured of ConfigMap 1 third", // 4
	"*v1.PartialObjectMetadata of ConfigMap 1 fourth ~ watches: 3, for 4 controllers",
	"a ConfigMap as a Go struct none its metadata alone none it as nested maps GET configmaps/shared",
	"> GET /api/v1/secrets?", `< Secret "none" not found`,
	"the second, which waits started 0 0", "the third, with EnableWarmup started 1 1", // 5
	"as it comes soup stew EnableReadYourWritesConsistency nothing: it waits stew",             // 6
	"> GET /apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager", // 7
}

// The demo shows what the lesson says it shows.
func TestDemo(t *testing.T) {
	out := demotest.Questions(t, demo())
	demotest.Has(t, out, shows...)
	// A manager starts its two kinds of servers one after the other, each as a goroutine that it does not wait for. So
	// on a machine with much to do most of the recordings may have the second one first.
	inOrder(t, out, "the webhook server starts", "the cache starts") // 2
	inOrder(t, out, "the health server starts", "the cache starts", "the cache has synced",
		"a runnable of every replica starts", "the Lease is asked for", "the controller's informer runs",
		"the manager's context ends", "a runnable of every replica has stopped", "a runnable of the leader has stopped",
		"the cache has stopped", "the webhook server has stopped", "the health server has stopped",
		"the Lease is given back")
	inOrder(t, out, "the second writes its name into the Lease", "the second makes an informer", "the second watches",
		"the second makes its first run", "the third writes its name into the Lease", "the third makes its first run")
	require.NotContains(t, out, "the third makes an informer")
	// A failure waits twice as long as the one before, an hour is never waited for, and a success begins anew.
	const ms = `(\d+)ms`
	for _, outcome := range []string{"Requeue: true", "an error", "an error and RequeueAfter: 1h", "a panic"} {
		times := numbers(t, out, outcome+` +AddRateLimited +0s +`+ms+` +`+ms+` +`+ms)
		require.GreaterOrEqual(t, times[1], 15, out)
		require.GreaterOrEqual(t, times[2], 35, out)
		require.Less(t, times[2], 5000, out)
	}
	times := numbers(t, out, `error, 100ms, error, error +AddRateLimited +0s +`+ms+` +`+ms+` +`+ms)
	require.Less(t, times[2]-times[1], 50, "5 ms, and not 20: %s", out)
	countsLines(t, out)
	readsALog(t, out)
}

// The same demo on the book's informer and queue.
func TestDemoOnTheBooksParts(t *testing.T) {
	demotest.Has(t, demotest.Play(t, demo(), "-parts", "book"), shows...)
	demotest.Has(t, demotest.Refused(t, demo(), "-parts", "theirs"), `"theirs" is neither upstream nor book`)
}

// countsLines checks that the table of lines adds up, and that a manager's start takes less than one by hand.
func countsLines(t *testing.T, out string) {
	t.Helper()
	sum := []int{0, 0}
	for _, c := range concerns() {
		n := numbers(t, out, `(?m)^ +`+c.name+` +(\d+) +(\d+)$`)
		sum[0], sum[1] = sum[0]+n[0], sum[1]+n[1]
	}
	require.Equal(t, numbers(t, out, `(?m)^ +all +(\d+) +(\d+)$`), sum)
	start := numbers(t, out, `(?m)^ +start, workers and end +(\d+) +(\d+)$`)
	require.Less(t, start[1], start[0])
}

// readsALog checks that what kube-controller-manager has logged is there where its log is, in this order.
func readsALog(t *testing.T, out string) {
	t.Helper()
	if testkit.Provider() != "local" {
		demotest.Has(t, out, "Its log is not to be had")
		return
	}
	inOrder(t, out, "it starts", "it makes its controllers, and skips the disabled ones", "a controller starts",
		"a controller waits for its informers", "and has them")
	const upstreams = 49 // TestControllersOfKubeControllerManager
	n := numbers(t, out, `skips the disabled ones +(\d+)\n.*a controller starts +(\d+)`)
	require.Equal(t, upstreams, n[0]+n[1])
}

// Each failure shows what the table of the lesson says of it. They come one after another: what controller-runtime's
// global logger says goes to one of them.
func TestDemoFaults(t *testing.T) {
	for fault, shown := range map[string][]string{
		"panic": {"< ERROR Observed a panic: assignment to entry in nil map",
			"< ERROR Reconciler error: panic: assignment to entry in nil map [recovered]"},
		"never-syncs": {"if kind is a CRD, it should be installed before calling Start",
			`no matches for kind "Absent" in version "absent.example.com/v1"`,
			`User "nobody" cannot list resource "configmaps"`,
			"Could not wait for Cache to sync",
			"timed out waiting for cache to be synced for kind source: *v1.ConfigMap"},
		"lost-lease": {"Start returned: leader election lost", "~ the run was told to stop; it has not returned: true"},
		"same-name": {"SkipNameValidation: false}) < a controller >", "already exists. Controller names must be unique",
			"SkipNameValidation: true}) < a controller ="},
		"generation": {"the first list 1 1 other data 1 0 a deletion 1 1"},
	} {
		t.Run(fault, func(t *testing.T) {
			demotest.Has(t, demotest.Play(t, demo(), "-fault", fault), shown...)
		})
	}
	demotest.Has(t, demotest.Refused(t, demo(), "-fault", "explode"), `there is no fault "explode"`)
}

// One recording in three has the moments in another order, each another one.
func TestTheOrderOfMost(t *testing.T) {
	of := func(names ...string) (r recording) {
		for _, name := range names {
			r.starts = append(r.starts, moment{name: name})
		}
		return r
	}
	order := majority([]recording{of("b", "a", "c", "d"), of("a", "b", "c", "d"), of("a", "b", "d", "c")})
	require.Equal(t, []string{"a", "b", "c", "d"}, order)
}

// inOrder checks that the output has these texts, each behind the one before.
func inOrder(t *testing.T, out string, texts ...string) {
	t.Helper()
	rest := out
	for _, text := range texts {
		at := regexp.MustCompile(regexp.QuoteMeta(text)).FindStringIndex(rest)
		require.NotNil(t, at, "%q, in its place in:\n%s", text, out)
		rest = rest[at[1]:]
	}
}

// numbers are the numbers of the groups of an expression that the output has.
func numbers(t *testing.T, out, expression string) (all []int) {
	t.Helper()
	found := regexp.MustCompile(expression).FindStringSubmatch(out)
	require.NotEmpty(t, found, "%s in:\n%s", expression, out)
	for _, text := range found[1:] {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		all = append(all, n)
	}
	return all
}

// The commands of -interactive do what the chapter is about.
func TestInteractive(t *testing.T) {
	demotest.Interactive(t, demo(), "",
		demotest.Typed{Command: "create cm fig"},
		demotest.Typed{Command: "label cm fig"},
		demotest.Typed{Command: "label cm fig", Shows: []string{"> controller: POST east-wing/fig"}},
		demotest.Typed{Command: "annotate cm fig", Shows: []string{"Add"}},
		demotest.Typed{Command: "delete cm fig -n", Shows: []string{"> controller: POST east-wing/fig"}},
		demotest.Typed{Command: "delete cm fig", Shows: []string{"> controller: DELETE east-wing/fig"}})
}
