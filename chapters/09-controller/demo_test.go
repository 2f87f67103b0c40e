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
	out := demotest.Questions(t, demo())
	demotest.Has(t, out,
		"> controller: POST north/menu 201 Created > controller: POST south/menu 201 Created", // 1
		"~ it has asked for configmaps, a watch ~ it has asked for namespaces, a watch",
		"home/menu a source soup north/menu a mirror of home/menu soup south/menu a mirror of home/menu soup east/menu nothing",
		"> controller: PUT north/menu 200 OK > controller: PUT south/menu 200 OK", // 2
		"south/menu a mirror of home/menu stew ~ GETs since the change: 0",
		"> controller: POST south/menu 201 Created", "still the label team=kitchen", // 3
		"> controller: POST east/rules 201 Created > controller: DELETE north/menu 200 OK only if uid=", // 4
		"north/menu nothing south/menu nothing north/rules a mirror of home/rules no smoking",
		"> controller: DELETE north/rules 200 OK only if uid=", "south/soups somebody's of somebody", // 5
		`~ and 19 more like it > PATCH .../configmaps/rules {"data":{"today":"no shouting"}}`, // 6
		"> controller: PUT east/rules 200 OK > controller: PUT south/rules 200 OK ~ 20 annotations and then other data",
	)
}

// The table of lines has each file once, and their sum.
func TestDemoCountsLines(t *testing.T) {
	out := demotest.Play(t, demo())
	sum := 0
	for _, row := range regexp.MustCompile(`(?m)^ +\w+\.go +(\d+)$`).FindAllStringSubmatch(out, -1) {
		n, err := strconv.Atoi(row[1])
		require.NoError(t, err)
		sum += n
	}
	demotest.Has(t, out, "all "+strconv.Itoa(sum))
	require.Greater(t, sum, 400)
}

// Each failure shows what the table of the lesson says of it.
func TestDemoFaults(t *testing.T) {
	for fault, shown := range map[string][]string{
		"edges": {"home/menu nothing north/menu a mirror of home/menu soup home/rules nothing north/rules nothing"},
		"empty-cache": {"the list of namespaces has not come > controller: DELETE north/menu 200 OK",
			"the list of namespaces has come > controller: POST north/menu 201 Created > controller: POST south/menu 201 Created ="},
		"stale-cache": {"names no version is sent: 200 OK lost",
			"names the version that it read is sent: 409 Conflict kitchen",
			"waits until it sees its own write is not sent kitchen"},
		"occupied": {"POST north/menu 409 Conflict", "north/menu somebody's of somebody",
			"> controller: POST north/menu 201 Created ="},
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			demotest.Has(t, demotest.Play(t, demo(), "-fault", fault), shown...)
		})
	}
	demotest.Has(t, demotest.Refused(t, demo(), "-fault", "explode"), `there is no fault "explode"`)
}

// Who notes the time writes on and on, and who notes nothing writes nothing.
func TestAnOwnTimestamp(t *testing.T) {
	out := demotest.Play(t, demo(), "-fault", "own-timestamp")
	row := regexp.MustCompile(`(?m)^ +the time +(\d+) +(\d+) +\S+s$`).FindStringSubmatch(out)
	require.Len(t, row, 3, out)
	writes, err := strconv.Atoi(row[2])
	require.NoError(t, err)
	require.GreaterOrEqual(t, writes, enoughWrites, out)
	require.Regexp(t, `(?m)^ +nothing +[1-9]\d* +0 +\S+s$`, out)
}

// The commands of -interactive do what the chapter is about.
func TestInteractive(t *testing.T) {
	demotest.Interactive(t, demo(), "",
		demotest.Typed{Command: "create cm fig"},
		demotest.Typed{Command: "label cm fig"},
		demotest.Typed{Command: "label cm fig", Shows: []string{"> controller: POST east-wing/fig"}},
		demotest.Typed{Command: "get cm fig", Shows: []string{"today: ripe"}},
		demotest.Typed{Command: "delete cm fig", Shows: []string{"> controller: POST east-wing/fig"}},
		demotest.Typed{Command: "label ns", Shows: []string{"> controller: DELETE east-wing/fig"}})
}
