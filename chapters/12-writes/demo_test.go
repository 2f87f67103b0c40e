package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
)

// The demo shows what the lesson says it shows.
func TestDemo(t *testing.T) {
	out := demotest.Questions(t, demo())
	demotest.Has(t, out,
		"update without a version", "< to ann: 200 < to bob: 200 ~ hostname is nothing, subdomain is bob", // 1
		"< to ann: 200 < to bob: 409 ~ hostname is ann, subdomain is nothing",
		`> PATCH .../podtemplates/shop?fieldManager=bob {"template":{"spec":{"subdomain":"bob"}}}`,
		"~ hostname is ann, subdomain is bob",
		`< 409 Conflict .spec.gracePeriodSeconds: conflict with "bob"`, // 4
		`.spec.env[name="LANG"].value C bob .spec.gracePeriodSeconds 30 ann`,
		`.spec.env[name="TZ"].value nothing nothing`,
		".spec.gracePeriodSeconds 60 bob, kim (update)",
		"create, with all at 1 1 1 0 1", "update of /status, with all at 3 2 2 3 2", // 5
		"merge patch of /scale, with all at 6 4 6 5 4",
		"< invalid object type", // 6
		`"status":{"pid":7}} < Operation cannot be fulfilled`, "~ gracePeriodSeconds is 5, the PID is 7",
		"Base 1 write status object 1 PID 1001 here", // 7
		"CreateOrPatch 1 write object status 2 PID 1002 here")
	for way, of := range scenario.Outcomes { // 2
		demotest.Has(t, out, strings.Join(append([]string{way}, append(of[0][:], of[1][0])...), " "))
	}
	for _, way := range writes.Ways() { // 3
		if scenario.Keeps[way.Name] && !strings.HasPrefix(way.Name, "apply") {
			require.Regexp(t, `(?m)^ +`+way.Name+` +40 +0 +0 +\d+ +\d+ `, out)
		}
	}
}

// Each failure shows what the table of the lesson says of it.
func TestDemoFaults(t *testing.T) {
	for fault, shown := range map[string][]string{
		"finalizer": {`"finalizers":["scratch.example.com/bob"]}} ~ finalizers: scratch.example.com/bob A merge`,
			"the object has been modified", "~ finalizers: scratch.example.com/ann ="},
		"fight": {"south applies without force",
			`< Apply failed with 1 conflict: conflict with "north": .spec.gracePeriodSeconds`},
		"retry": {"> published.RetryOverACache: 5 tries in", "the object has been modified",
			"called again until there is none"},
		"loop":     {"The status says how often it was looked at", "The status says what was found"},
		"old-type": {"< 200 OK ~ env is nothing", `< 200 OK ~ env is [{"name":"TZ","value":"UTC"}]`},
	} {
		t.Run(fault, func(t *testing.T) {
			demotest.Has(t, demotest.Play(t, demo(), "-fault", fault), shown...)
		})
	}
	demotest.Has(t, demotest.Refused(t, demo(), "-fault", "explode"), `there is no fault "explode"`)
}

// The commands of -interactive do what the chapter is about.
func TestInteractive(t *testing.T) {
	demotest.Interactive(t, demo(), "",
		demotest.Typed{Command: "get processes mine"},
		demotest.Typed{Command: "--field-manager=bob -f", Fails: true},
		demotest.Typed{Command: "--force-conflicts", Shows: []string{".spec.gracePeriodSeconds bob"}},
		demotest.Typed{Command: "--type=merge -p '{\"spec\"", Shows: []string{"kubectl-patch (update)"}},
		demotest.Typed{Command: "--type=strategic", Fails: true},
		demotest.Typed{Command: "--subresource=status", Shows: []string{".status.pid"}})
}

// Each published form that fails has one beside it that does not, and the demo plays all of them.
func TestThePublishedAreInPairs(t *testing.T) {
	all := examples()
	require.Zero(t, len(all)%2)
	for _, e := range all {
		require.False(t, strings.Contains(e.name, " "))
	}
}
