package plane

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestKubectlsCacheGoesWithTheControlPlane(t *testing.T) {
	t.Setenv(KubectlCacheEnv, "")
	run := newRun(t, filepath.Join(newBase(t), "run"), true)
	lab, other := t.TempDir(), t.TempDir()
	plane := &Plane{Dir: run, Kubeconfig: filepath.Join(lab, RunKubeconfig), Lasting: lab}
	require.NoError(t, plane.WriteTo(run))
	require.NoError(t, plane.WriteTo(lab))
	want := []string{"KUBECACHEDIR=" + filepath.Join(run, "kubectl")}
	assert.Equal(t, want, KubectlEnv(filepath.Join(run, RunKubeconfig)))
	assert.Equal(t, want, KubectlEnv(filepath.Join(lab, RunKubeconfig)))
	assert.Empty(t, KubectlEnv(filepath.Join(other, RunKubeconfig)), "the reader's own cluster")

	plane.Dir = newRun(t, filepath.Join(other, "run"), true)
	require.NoError(t, plane.WriteTo(lab))
	assert.Empty(t, KubectlEnv(filepath.Join(lab, RunKubeconfig)), "no folder of ours is named")
	t.Setenv(KubectlCacheEnv, other)
	assert.Empty(t, KubectlEnv(filepath.Join(run, RunKubeconfig)), "the reader has chosen")
}
