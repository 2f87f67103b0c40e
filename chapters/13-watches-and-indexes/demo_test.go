package main

import (
	"context"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
)

// The demo shows what the lesson says it shows.
func TestDemo(t *testing.T) {
	out := demotest.Questions(t, demo())
	demotest.Has(t, out,
		"a Process whose controller is north north its status says that it runs north", // 1
		"one of north, which south owns, too north south becomes its controller north, south it is deleted south",
		"ConfigMap menu is created north, south it changes north, south ConfigMap bread, which nobody uses -",
		"it uses menu and wine menu, wine menu, wine 1, 1 1, 1 it uses wine menu, wine wine 0, 1 1, 1", // 2
		"it uses nothing wine - 0, 0 1, 1",
		"its spec 1, 2 yes yes yes - - its status 2, 2 yes yes - - -", // 3
		"a resync 2, 2 yes - - - - deleted, with a finalizer 2, 3 yes yes yes - -",
		"its data 0, 0 yes yes - - -",
		"source.Channel, before the start 0, after 200ms", // 4
		"10 000 notifications", "routing.Channel, before the start 10000",
		"the API server, by a label 5 10", "the cache, all of it, and a loop 0 10", // 5
		"> GET /api/v1/namespaces/", "/configmaps?limit=1", // 7
		"APIReader 1 0 1 nothing client, Go structs 1 1 1", "client, Go structs again 0 0 1")
	// In bytes and heap of each: metadata is less of both, a Transform spares the heap alone, and nested maps take
	// most.
	structs, maps := form6(t, out, "Go structs"), form6(t, out, "nested maps")
	metadata, stripped := form6(t, out, "metadata alone"), form6(t, out, "Go structs, stripped")
	oneInTen := form6(t, out, "Go structs, one in ten")
	require.Equal(t, 1000, structs.objects)
	require.Equal(t, 100, oneInTen.objects)
	require.Less(t, metadata.bytes, structs.bytes)
	require.Less(t, metadata.heap, structs.heap)
	require.Less(t, stripped.heap, structs.heap*3/4)
	require.InDelta(t, structs.bytes, stripped.bytes, 100)
	require.Greater(t, maps.heap, 2*structs.heap)
	require.Less(t, metadata.change, structs.change)
	require.Less(t, oneInTen.change, structs.change/5)
}

// formCost is a row of step 6.
type formCost struct{ objects, bytes, heap, change int }

// form6 finds it.
func form6(t *testing.T, out, name string) formCost {
	t.Helper()
	row := regexp.MustCompile(`(?m)^ +` + name + ` +\d+ +\d+ +(\d+) +(\d+) +(\d+) +\S+ +(\d+)$`).FindStringSubmatch(out)
	require.NotNil(t, row, name)
	n := make([]int, len(row))
	for i := range row[1:] {
		var err error
		n[i], err = strconv.Atoi(row[i+1])
		require.NoError(t, err)
	}
	return formCost{n[0], n[1], n[2], n[3]}
}

// Each failure shows what the table of the lesson says of it.
func TestDemoFaults(t *testing.T) {
	for fault, shown := range map[string][]string{
		"everything": {"the manager's client a watch of all", "the APIReader the one, once"},
		"generation": {"its data is stew now - a run", "its status says that it has failed - a run"},
		"no-index":   {"Index with name field:uses does not exist", "without the index - with it north"},
		"standby": {"source.Channel taken not within 200ms nothing: it was given up",
			"routing.Channel taken taken a run"},
		"ask": {"the API server 20", "the cache, by an index 0"},
	} {
		t.Run(fault, func(t *testing.T) {
			demotest.Has(t, demotest.Play(t, demo(), "-fault", fault), shown...)
		})
	}
	demotest.Has(t, demotest.Refused(t, demo(), "-fault", "explode"), `there is no fault "explode"`)
	demotest.Has(t, demotest.Refused(t, demo(), "-objects", "20"), "20 is not from 100 to 10000")
}

// The commands of -interactive do what the chapter is about.
func TestInteractive(t *testing.T) {
	d := demo()
	steps, part := d.Steps[:2], d.Interactive
	d.Interactive = func(ctx context.Context, l *lab.Lab) error { // after some steps, whose objects are there
		for _, step := range steps {
			if err := step.Run(ctx, l); err != nil {
				return err
			}
		}
		return part(ctx, l)
	}
	demotest.Interactive(t, d, "",
		demotest.Typed{Command: "get processsets"},
		demotest.Typed{Command: "create configmap menu", Shows: []string{"Watches ConfigMap menu: keys north, south"}},
		demotest.Typed{Command: "create configmap bread", Shows: []string{"Watches ConfigMap bread: keys -"}},
		demotest.Typed{Command: "annotate processset north", Shows: []string{"a run for north"}},
		demotest.Typed{Command: "label configmap bread", Shows: []string{"Watches ConfigMap bread: keys north"}},
		demotest.Typed{Command: "delete process cook", Shows: []string{"Owns Process cook: keys north"}})
}
