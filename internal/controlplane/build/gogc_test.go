//go:build unix

package build

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// The compilers of the servers collect less garbage than they would, unless the reader has said how much.
func TestTheGarbageCollectorOfTheCompilers(t *testing.T) {
	script := `if [ "$1" = build ]; then echo "build: GOGC=$GOGC" >&2; exit 1; fi`
	for set, want := range map[string]string{"": serversGOGC, "100": "100", "off": "off"} {
		t.Setenv("GOGC", set)
		b, _ := testBuilder(t, tinyControlPlane(t), script)
		_, err := b.ensure(t.Context(), []plane.Component{plane.Etcd})
		require.ErrorContains(t, err, "build: GOGC="+want)
	}
	t.Setenv("GOGC", "")
	g := &goCommand{tool: []string{"sh", "-c", "echo GOGC=$GOGC"}, grace: defaultGrace}
	var said []string
	require.NoError(t, g.run(t.Context(), func(_ bool, text string) { said = append(said, text) }))
	require.Equal(t, []string{"GOGC="}, said, "any other program is compiled as the go command does it")
}
