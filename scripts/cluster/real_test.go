package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/build"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// TestTheRealControlPlane starts the real servers, uses them, and kills them one after the other. After each kill,
// status says what happened, a chapter behaves, and up starts a new control plane.
func TestTheRealControlPlane(t *testing.T) {
	t.Parallel()
	m := realMachine(t)
	up := m.up()
	version, err := build.Version()
	require.NoError(t, err)
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		assert.Equal(t, version, up.Version)
	}
	for _, path := range []string{up.Kubeconfig, filepath.Join(up.Dir, "kubeconfig")} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), path)
	}

	t.Run("kubectl works with the printed kubeconfig, and so do the controllers", func(t *testing.T) {
		kubectl := m.kubectl(t, up)
		assert.Contains(t, kubectl("get", "namespaces"), "default")
		assert.Contains(t, kubectl("auth", "can-i", "list", "pods", "--as=system:kube-scheduler"), "yes",
			"RBAC has its roles")
		kubectl("create", "namespace", "tried")
		kubectl("-n", "tried", "create", "deployment", "web", "--image=none", "--replicas=2")
		kubectl("-n", "tried", "wait", "--for=create", "pod", "-l", "app=web", "--timeout=60s")
		kubectl("-n", "tried", "wait", "--for=create", "serviceaccount", "default", "--timeout=60s")
		kubectl("delete", "namespace", "tried", "--timeout=60s") // returns when it is gone, with all that was in it
	})
	t.Run("nothing listens but two ports and three files, and no port answers an etcd request", func(t *testing.T) {
		closed(t, up)
	})
	t.Run("one who has no credentials gets nothing", func(t *testing.T) { anonymous(t, up) })
	t.Run("no file is for others", func(t *testing.T) { private(t, up) })
	t.Run("another user of the machine gets nothing", func(t *testing.T) { strangersAreKeptOut(t, m, up) })

	t.Run("kill -9 of the API server under a chapter, and of etcd under the next", func(t *testing.T) {
		p, a := m.chapter()
		require.Equal(t, up.Dir, a.Plane.Dir)
		kill(t, servers(t, up)[plane.KubeAPIServer])
		_, said := p.wait()
		assert.Contains(t, said, "the chapter noticed: kube-apiserver ended by itself (signal: killed)")
		assert.Regexp(t, `The whole log: .*/kube-apiserver.log`, said)
		m.nothingRuns()
		said = m.status()
		assert.Contains(t, said, "has stopped, because kube-apiserver ended by itself (signal: killed)")
		assert.Contains(t, said, "`make up` starts a new one")
		p, a = m.chapter()
		assert.True(t, a.Private, "a chapter starts its own")
		assert.Contains(t, p.said.String(), "The control plane of `make up` has stopped: kube-apiserver ended by itself")

		kill(t, servers(t, &a.Plane)[plane.Etcd])
		_, said = p.wait()
		assert.Contains(t, said, "the chapter noticed: etcd ended by itself (signal: killed)")
		m.nothingRuns()
	})
	t.Run("kill -9 of the controller manager", func(t *testing.T) {
		kill(t, servers(t, m.up())[plane.KubeControllerManager])
		m.nothingRuns()
		assert.Contains(t, m.status(), "has stopped, because kube-controller-manager ended by itself (signal: killed)")
	})
	t.Run("kill -9 of the supervisor", func(t *testing.T) {
		kill(t, m.up().Supervisor)
		m.nothingRuns()
		assert.Contains(t, m.status(), "is gone: its supervisor does not run any more")
		assert.Contains(t, m.down(), "is gone")
	})
}

func TestKillOfAChapterWithRealServers(t *testing.T) {
	t.Parallel()
	m := realMachine(t)
	p, a := m.chapter()
	assert.True(t, a.Private)
	assert.Len(t, servers(t, &a.Plane), 2)
	kill(t, p.cmd.Process.Pid)
	p.wait()
	m.nothingRuns()
	assert.NoDirExists(t, a.Plane.Dir)
}

// TestRestartOfTheServer is the capability that chapters on reconnecting ask for.
func TestRestartOfTheServer(t *testing.T) {
	t.Parallel()
	i, err := local.Acquire(t.Context(), local.Options{Private: true})
	require.NoError(t, err)
	defer func() { require.NoError(t, i.Close()) }()
	m := &machine{t: t, dir: scratch}
	kubectl := m.kubectl(t, &i.Plane)
	kubectl("create", "configmap", "kept")
	before := servers(t, &i.Plane)[plane.KubeAPIServer]
	require.NoError(t, i.RestartServer(t.Context()))
	assert.NotEqual(t, before, servers(t, &i.Plane)[plane.KubeAPIServer])
	kubectl("get", "configmap", "kept") // with the old kubeconfig: the same port, certificates and objects
	assert.Contains(t, metrics(t, &i.Plane), "etcd_server_has_leader 1")
}

// TestWithoutNetwork is the workshop room without Wi-Fi, in a network namespace that has only a loopback interface.
func TestWithoutNetwork(t *testing.T) {
	t.Parallel()
	m := realMachine(t)
	p := m.inNamespace(t, "chapter", "-rn", "ip link set lo up")
	p.acquired()
	p.end()
}

// TestAFullDisk starts a control plane where there are 8 MB: etcd wants 64 for its log alone.
func TestAFullDisk(t *testing.T) {
	t.Parallel()
	m := realMachine(t)
	p := m.inNamespace(t, "chapter", "-rm", "mount -t tmpfs -o size=8m tmpfs "+m.dir)
	code, said := p.wait()
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "etcd did not start")
	assert.Contains(t, said, "no space left on device")
	assert.Contains(t, said, "free some space in "+m.dir)
	fits(t, said)
}

// inNamespace starts a chapter or the command cluster in Linux namespaces of its own, set up by a shell command, or
// skips where that is not allowed.
func (m *machine) inNamespace(t *testing.T, role, flags, setup string, args ...string) *process {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("this machine lacks Linux namespaces: it runs " + runtime.GOOS)
	}
	trial := exec.Command("unshare", flags, "sh", "-c", setup)
	if out, err := trial.CombinedOutput(); err != nil {
		t.Skipf("this machine lacks Linux namespaces: %v: %s", err, out)
	}
	words := append([]string{flags, "sh", "-c", setup + ` && exec "$0" "$@"`, os.Args[0]}, args...)
	return m.startCommand(role, exec.Command("unshare", words...))
}

// kubectl returns a function that runs kubectl on a control plane and returns what it printed.
func (m *machine) kubectl(t *testing.T, up *plane.Plane) func(args ...string) string {
	t.Helper()
	dir, err := build.Ensure(t.Context(), term.Quiet(), plane.Kubectl)
	require.NoError(t, err)
	return func(args ...string) string {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, filepath.Join(dir, "kubectl"), args...)
		cmd.Env = append(os.Environ(), "KUBECONFIG="+up.Kubeconfig, "HOME="+m.dir)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "kubectl %s: %s", strings.Join(args, " "), out)
		return string(out)
	}
}
