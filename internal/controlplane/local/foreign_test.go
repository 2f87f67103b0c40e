package local

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Another tool has written into the kubeconfig, or one of its own in its place. The control plane runs, with everything
// that somebody has put into it.
func TestAControlPlaneWhoseKubeconfigWasChanged(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		kept bool
	}{
		"by kubectl config":   {ours + "- name: me\n  user: {token: x}\n", false},
		"for another cluster": {"current-context: production\n", true},
		"to nothing":          {"", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.says(t, nil)
			s.kubeconfig(t, c.text)
			before := contents(t, filepath.Dir(s.run))
			_, _, err := Up(t.Context(), UpOptions{})
			require.ErrorContains(t, err, "the control plane can't be used, though it runs: the kubeconfig "+s.plane.Kubeconfig)
			assert.ErrorContains(t, err, "`cp "+filepath.Join(s.run, plane.RunKubeconfig)+" "+s.lab+"` brings back")
			assert.ErrorContains(t, err, "`make down` stops it, and everything that is in it is gone")
			assert.Equal(t, before, contents(t, filepath.Dir(s.run)))
			p, err := plane.Read(s.lab)
			require.NoError(t, err)
			assert.Equal(t, s.run, p.Dir)

			r, err := Down(t.Context(), nil)
			require.NoError(t, err)
			assert.Equal(t, Unusable, r.State)
			assert.EqualValues(t, 3, s.asked.Load(), "for its status by each, and to stop")
			assert.NoDirExists(t, s.run)
			assert.NoFileExists(t, filepath.Join(s.lab, plane.File))
			if !c.kept {
				assert.Empty(t, r.Kept)
				assert.NoFileExists(t, s.plane.Kubeconfig)
				return
			}
			assert.Equal(t, s.plane.Kubeconfig, r.Kept)
			data, err := os.ReadFile(s.plane.Kubeconfig)
			require.NoError(t, err)
			assert.Equal(t, c.text, string(data))
		})
	}
}

func TestAControlPlaneGetsBackItsKubeconfig(t *testing.T) {
	s := newStage(t)
	s.says(t, nil)
	require.NoError(t, os.Remove(s.plane.Kubeconfig))
	s.notUsed(t, Unusable, "it is not there")
	s.kubeconfig(t, ours)
	r, err := Status(t.Context())
	require.NoError(t, err)
	assert.Equal(t, Running, r.State, r.Why)
}

func TestAKubeconfigOfSomebodyElseStays(t *testing.T) {
	lab := t.TempDir()
	path := filepath.Join(lab, plane.RunKubeconfig)
	require.NoError(t, plane.RemoveKubeconfig(lab), "there is none")
	require.NoError(t, plane.WriteKubeconfig(lab, []byte(ours)))
	require.NoError(t, plane.WriteKubeconfig(lab, []byte(ours)), "ours is replaced")
	require.NoError(t, plane.RemoveKubeconfig(lab))
	assert.NoFileExists(t, path)
	for _, text := range []string{"", strings.Replace(ours, "current-context: controllers", "current-context: c", 1)} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		require.ErrorIs(t, plane.RemoveKubeconfig(lab), plane.ErrLeftAlone)
		require.ErrorIs(t, plane.WriteKubeconfig(lab, []byte(ours)), plane.ErrLeftAlone)
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, text, string(data))
	}
}
