package check

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlots(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the plotter")
	}
	require.Empty(t, run(t, plotsCheck, tree(t, "-- README.md --\n")), "there are no numbers yet")
	const page = "# Numbers\n\n## chapters/07-shared-informer/informer\n\n" +
		"| Sync/source=objects/objects=1000 | sec/op | 1.5 ms ± 1% | 2 ms ± 1% | 1 |\n" +
		"| Sync/source=objects/objects=10000 | sec/op | 15 ms ± 1% | 20 ms ± 1% | 1 |\n" +
		"| Sync/source=http/objects=1000 | sec/op | 1.5 ms ± 1% | 2 ms ± 1% | 1 |\n" +
		"| Sync/source=http/objects=10000 | sec/op | 15 ms ± 1% | 20 ms ± 1% | 1 |\n" +
		"| Heap/source=objects/objects=1000 | heapB/object | 107 ± 1% | 110 ± 1% | 1 |\n" +
		"| Heap/source=objects/objects=10000 | heapB/object | 99.5 ± 1% | 108 ± 1% | 1 |\n"
	tr := tree(t, "-- docs/numbers.md --\n"+page+"-- docs/numbers.svg --\nold\n")
	require.Contains(t, run(t, plotsCheck, tr), "docs/numbers.svg: is not what the page gives")
	wrote, err := plotsCheck.Fix(context.Background(), tr)
	require.NoError(t, err)
	require.Equal(t, []string{"docs/numbers.svg"}, wrote)
	require.Empty(t, run(t, plotsCheck, tr))

	_, err = tr.Write("docs/numbers.md", []byte("# Numbers\n"))
	require.NoError(t, err)
	require.Contains(t, run(t, plotsCheck, tr), "there is no section")
}
