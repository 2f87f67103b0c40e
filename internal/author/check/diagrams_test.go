package check

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDiagrams(t *testing.T) {
	if testing.Short() {
		t.Skip("builds D2")
	}
	root, err := FindRoot()
	require.NoError(t, err)
	style, err := os.ReadFile(root + "/diagrams/style.d2")
	require.NoError(t, err)
	tr := tree(t, "-- diagrams/style.d2 --\n"+string(style)+
		"-- diagrams/a.d2 --\n...@style\napi: kube-apiserver {class: apiserver}\nw: watch {class: mechanism}\n"+
		"api -> w: events {class: events}\n"+
		"-- diagrams/a.svg --\nold\n-- diagrams/gone.svg --\n")
	require.Equal(t, "diagrams/a.svg: is not what its source gives\ndiagrams/gone.svg: has no source diagrams/gone.d2\n", run(t, diagramsCheck, tr))
	wrote, err := diagramsCheck.Fix(context.Background(), tr)
	require.NoError(t, err)
	require.Equal(t, []string{"diagrams/a.svg"}, wrote)
	require.NotContains(t, run(t, diagramsCheck, tr), "a.svg")

	_, err = tr.Write("diagrams/a.d2", []byte("...@style\na -> b -> c -> d -> e -> f -> g -> h -> i -> j -> k -> l: "+
		"\"a long label here\"\n"))
	require.NoError(t, err)
	require.Contains(t, run(t, diagramsCheck, tr), "px wide")
}
