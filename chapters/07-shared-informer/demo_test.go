package main

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
)

// The demo shows what the lesson says it shows.
func TestDemo(t *testing.T) {
	t.Parallel() // it waits
	out := demotest.Questions(t, demo())
	demotest.Has(t, out,
		"in a call - no yes waiting - 0 1 HasSynced yes yes no", // 1
		"~ in its first call, fast found 2 objects in the store",
		"in a call - no yes waiting - 0 5 HasSynced yes yes no", // 2
		"> AddEventHandler(late) > PATCH",                       // 3: no request in between
		"in a call - no yes no waiting - 0 6 0 HasSynced yes yes no yes",
		"in a call - no no no waiting - 0 0 0 HasSynced yes yes yes yes",
		"OnAdd, initial list 2 2 2 OnAdd 1 1 0 OnUpdate 3 3 1 OnDelete 1 1 0",
		"< FAULT expired", // 4
		"hours updated OnUpdate(hours", "menu deleted, and created again OnUpdate(menu", ": two UIDs prices deleted",
		"prices deleted OnDelete(tombstone of prices", "rules nothing OnUpdate(rules",
		"> RemoveEventHandler(removed) < has returned; the handler is in a call: yes", // 5
		"> ShutDownEventHandler(shut down) < has not returned after 300ms; the handler is in a call: yes",
		"< ShutDownEventHandler has returned; the handler is in a call: no",
		"~ of 3 objects, removed was told of 1, and shut down of 1",
	)
	requests := regexp.MustCompile(`(?m)^   > GET `).FindAllString(out, -1)
	require.Len(t, requests, 4, "one each in steps 1 and 5, and two in step 4, where the watch expires:\n%s", out)
}

// What a handler knows is what the store has, when it is not stuck: the columns are equal.
func TestDemoComesToOneEnd(t *testing.T) {
	t.Parallel()
	out := demotest.Play(t, demo())
	boards := regexp.MustCompile(`(?m)^ +(hours|menu|prices) +(\d+|-) +(\d+|-) +(\d+|-) +(\d+|-)$`).
		FindAllStringSubmatch(out, -1)
	require.Len(t, boards, 2*2+3, "two boards with late in step 3, and one in step 5:\n%s", out)
	for i, row := range boards[:4] {
		version, stuck := row[2], row[4]
		require.Equal(t, []string{version, version}, []string{row[3], row[5]}, "fast and late, in %s", row[0])
		if i < 2 {
			require.Equal(t, "-", stuck, row[0])
		} else {
			require.Equal(t, version, stuck, row[0])
		}
	}
}

// Each failure shows what the table of the lesson says of it.
func TestDemoFaults(t *testing.T) {
	for fault, shown := range map[string][]string{
		"stripped-versions": {"ours client-go before: OnUpdate(menu) yes yes since: OnUpdate(menu) yes no " +
			"since: OnAdd(hours) yes yes since: OnDelete(prices) yes yes the store's menu: write 4 4"},
		"synced-too-early": {"~ the informer has synced; the handler knows menu: no, prices: no",
			"> DELETE .../configmaps/menu-copy", "~ 2 copies deleted",
			"~ the handler has synced; the handler knows menu: yes, prices: yes ~ 0 copies deleted"},
		"stuck-for-good": {"updates objects in the store waiting for fast waiting for stuck heap 1 1 0 1",
			"26 1 0 26", "51 1 0 51", "stuck goes on 1 0 0"},
		"remove-then-close": {"> RemoveEventHandler, and then close(work), while the handler is in a call " +
			"< the handler panics: send on closed channel",
			"> ShutDownEventHandler, and then close(work), while the handler is in a call < the handler has sent menu"},
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			demotest.Has(t, demotest.Play(t, demo(), "-fault", fault), shown...)
		})
	}
	demotest.Has(t, demotest.Refused(t, demo(), "-fault", "explode"), `there is no fault "explode"`)
}

// What waits for a stuck handler is memory: 50 objects of 100 kB. It is not parallel, since other tests have memory,
// too.
func TestStuckForGoodCostsMemory(t *testing.T) {
	out := demotest.Play(t, demo(), "-fault", "stuck-for-good")
	var megabytes []int
	for _, cell := range regexp.MustCompile(`(\d+) MB`).FindAllStringSubmatch(out, -1) {
		n, err := strconv.Atoi(cell[1])
		require.NoError(t, err)
		megabytes = append(megabytes, n)
	}
	require.Len(t, megabytes, 4, out)
	require.GreaterOrEqual(t, megabytes[2]-megabytes[0], 3, out)
	require.GreaterOrEqual(t, megabytes[2]-megabytes[3], 3, out)
}

// The commands of -interactive do what the chapter is about.
func TestInteractive(t *testing.T) {
	demotest.Interactive(t, demo(), "&watch=true",
		demotest.Typed{Command: "create cm fig", Shows: []string{"< fast OnAdd(fig", "< slow OnAdd(fig"}},
		demotest.Typed{Command: "annotate cm fig", Shows: []string{"< fast OnUpdate(fig", "and 1 more are waiting"}},
		demotest.Typed{Command: "delete cm fig", Shows: []string{"< fast OnDelete(fig"}})
}
