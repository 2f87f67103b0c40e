package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/supervisor/fakeservers"
)

// These tests are about what happens around the servers, so stand-ins play them: see real_test.go for the real ones.

func TestUpStatusDown(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	assert.Contains(t, m.status(), "No control plane of `make up` runs")
	code, said := m.cluster("up")
	require.Zero(t, code, said)
	assert.Contains(t, said, "The control plane has started: Kubernetes v0.0.0-fake on https://127.0.0.1:")
	assert.Contains(t, said, "export KUBECONFIG="+filepath.Join(m.state(), "kubeconfig"))
	assert.Contains(t, said, "get namespaces")
	fits(t, said)
	lasting, err := plane.Read(m.state())
	require.NoError(t, err)

	code, said = m.cluster("up")
	require.Zero(t, code)
	assert.Contains(t, said, "runs already")
	code, said = m.cluster("up", "-port", "1")
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "stop it first (`make down`) to start it on port 1")
	said = m.status()
	for _, process := range []string{"etcd", "kube-apiserver", "kube-controller-manager", "supervisor"} {
		assert.Contains(t, said, process)
	}
	fits(t, said)

	p, a := m.chapter()
	assert.Equal(t, lasting.Dir, a.Plane.Dir, "a chapter uses the control plane of make up")
	p.end()
	assert.NotEmpty(t, servers(t, lasting), "and leaves it running")

	m.env = append(m.env, "KUBECONFIG="+filepath.Join(m.state(), "kubeconfig"))
	said = m.down()
	assert.Contains(t, said, "has stopped")
	assert.Contains(t, said, "unset KUBECONFIG")
	fits(t, said)
	assert.NoFileExists(t, filepath.Join(m.state(), "kubeconfig"))
	assert.NoDirExists(t, lasting.Dir)
	assert.Contains(t, m.down(), "No control plane of `make up` runs")
}

func TestWrongArguments(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	for _, args := range [][]string{nil, {"upp"}, {"up", "now"}, {"up", "-port", "x"}, {"up", "-port", "70000"}} {
		code, said := m.cluster(args...)
		assert.Equal(t, 2, code, args)
		assert.Contains(t, said, "usage: go run ./scripts/cluster", args)
	}
}

func TestTwoUpsAtOnceStartOneControlPlane(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	said := make([]string, 3)
	var all sync.WaitGroup
	for n := range said {
		p := m.start("cluster", "up")
		all.Go(func() { _, said[n] = p.wait() })
	}
	all.Wait()
	together := strings.Join(said, "\n")
	assert.Equal(t, 1, strings.Count(together, "has started"), together)
	assert.Equal(t, 2, strings.Count(together, "runs already"), together)
	m.down()
}

func TestTwoChaptersAtOnceHaveAControlPlaneEach(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	first, second := m.start("chapter"), m.start("chapter")
	one, two := first.acquired(), second.acquired()
	assert.True(t, one.Private && two.Private)
	assert.NotEqual(t, one.Plane.Dir, two.Plane.Dir)
	first.end()
	assert.NotEmpty(t, servers(t, &two.Plane), "the end of one is not the end of the other")
	second.end()
	m.nothingRuns()
}

func TestCtrlC(t *testing.T) {
	t.Parallel()
	t.Run("while up waits for a server", func(t *testing.T) {
		t.Parallel()
		m := newMachine(t)
		sign := fakeservers.Hang(t, m.assets, "kube-apiserver")
		p := m.start("cluster", "up")
		appears(t, sign)
		p.signal(syscall.SIGINT)
		code, said := p.wait()
		assert.Equal(t, 130, code)
		assert.Contains(t, said, "nothing that was started is left running")
		m.nothingRuns()
		assert.Contains(t, m.status(), "No control plane of `make up` runs")
	})
	t.Run("while a chapter waits for a server", func(t *testing.T) {
		t.Parallel()
		m := newMachine(t)
		sign := fakeservers.Hang(t, m.assets, "etcd")
		p := m.start("chapter")
		appears(t, sign)
		p.signal(syscall.SIGINT)
		code, _ := p.wait()
		assert.Equal(t, 1, code)
		m.nothingRuns()
	})
	t.Run("while a chapter runs", func(t *testing.T) {
		t.Parallel()
		m := newMachine(t)
		p, a := m.chapter()
		p.signal(syscall.SIGINT)
		code, said := p.wait()
		assert.Zero(t, code, said)
		assert.NoDirExists(t, a.Plane.Dir)
	})
}

func TestKillOfUpWhileItStarts(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	sign := fakeservers.Hang(t, m.assets, "kube-apiserver")
	p := m.start("cluster", "up")
	appears(t, sign)
	assert.Contains(t, m.status(), "Another command is at it at the moment: make up, process")
	kill(t, p.cmd.Process.Pid)
	p.wait()
	m.nothingRuns()
	said := m.status()
	assert.Contains(t, said, "No control plane of `make up` runs")
	assert.NotContains(t, said, "Another command")
	require.NoError(t, os.Remove(filepath.Join(m.assets, "kube-apiserver.hangs")))
	m.up()
	m.down()
}

func TestAPortThatIsTaken(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	code, said := m.cluster("up", "-port", port)
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "port "+port+" of 127.0.0.1 is taken")
	l.Close()
	code, said = m.cluster("up", "-port", port)
	require.Zero(t, code, said)
	assert.Contains(t, said, "https://127.0.0.1:"+port)
	m.down()
}

func TestAStateThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for name, state := range map[string]string{"empty": "", "half": `{"dir": "/tmp/x", "kubec`, "of nothing": "{}"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			require.NoError(t, os.Mkdir(m.state(), 0o700))
			file := filepath.Join(m.state(), "plane.json")
			require.NoError(t, os.WriteFile(file, []byte(state), 0o600))
			said := m.status()
			assert.Contains(t, said, file+" is damaged")
			assert.Contains(t, said, "`make up` starts a new one")
			if name == "half" {
				p, a := m.chapter()
				assert.True(t, a.Private)
				assert.Contains(t, p.end(), "is damaged")
			}
			code, said := m.cluster("up")
			require.Zero(t, code, said)
			assert.Contains(t, said, "starting a new one")
			m.down()
		})
	}
}

func TestAStateDirectoryThatIsAFile(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	require.NoError(t, os.WriteFile(m.state(), nil, 0o600))
	code, said := m.cluster("up")
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "make the state directory")
	assert.Contains(t, said, m.state())
}

func TestAControlPlaneThatWasKilledAltogether(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	lasting := m.up()
	// Everything of it at once, as when the machine loses power: no leash can do its work.
	running, err := plane.ProcessesNaming(lasting.Dir + "/")
	require.NoError(t, err)
	for _, p := range running {
		syscall.Kill(p.PID, syscall.SIGKILL)
	}
	kill(t, lasting.Supervisor)
	m.nothingRuns()
	require.DirExists(t, lasting.Dir)
	assert.Contains(t, m.status(), "is gone: its supervisor does not run any more")

	p, a := m.chapter()
	assert.True(t, a.Private)
	assert.Contains(t, p.end(), "The control plane of `make up` is gone")
	assert.NoDirExists(t, lasting.Dir, "the next start sweeps what is left")
	assert.NotEqual(t, lasting.Dir, m.up().Dir)
	m.down()
}

func TestAServerThatDiedLeavesItsLog(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	kill(t, servers(t, m.up())[plane.Etcd])
	m.nothingRuns()
	code, said := m.cluster("status")
	assert.Equal(t, 1, code, "what was started and is gone is worth an exit code")
	assert.Contains(t, said, "has stopped, because etcd ended by itself")
	log := filepath.Join(m.state(), "etcd.log")
	assert.Contains(t, m.down(), "What it left is removed but for the log that says why: "+log)
	assert.FileExists(t, log)
	code, _ = m.cluster("status")
	assert.Zero(t, code, "none is as well as one that runs")
}

func TestCertificatesThatHaveExpired(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	lasting := m.up()
	old := *lasting
	old.Expires = time.Now().Add(-time.Hour)
	require.NoError(t, old.WriteTo(m.state()))
	assert.Contains(t, m.status(), "has certificates that have expired")
	p, a := m.chapter()
	assert.True(t, a.Private)
	assert.Contains(t, p.end(), "certificates of the control plane of `make up` have expired")
	now := m.up()
	assert.NotEqual(t, lasting.Dir, now.Dir)
	assert.NoDirExists(t, lasting.Dir, "the old one was stopped")
	assert.FileExists(t, now.Kubeconfig)
	m.down()
}

// kubectl config adds a user; a tool replaces the file by its own. The control plane is not the less for it.
func TestAKubeconfigThatAnotherToolHasChanged(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	lasting := m.up()
	file, err := os.ReadFile(lasting.Kubeconfig)
	require.NoError(t, err)
	changed := append(file, "- name: me\n  user: {token: x}\n"...)
	require.NoError(t, os.WriteFile(lasting.Kubeconfig, changed, 0o600))
	code, said := m.cluster("up")
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "the control plane can't be used, though it runs: the kubeconfig "+lasting.Kubeconfig)
	assert.NotEmpty(t, servers(t, lasting), "it runs on")
	assert.Contains(t, m.status(), "`make down` stops it, and everything that is in it is gone")

	require.NoError(t, os.Remove(lasting.Kubeconfig))
	copied, err := os.ReadFile(filepath.Join(lasting.Dir, "kubeconfig")) // as the message says
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(lasting.Kubeconfig, copied, 0o600))
	code, said = m.cluster("up")
	require.Zero(t, code, said)
	assert.Contains(t, said, "runs already")

	require.NoError(t, os.WriteFile(lasting.Kubeconfig, []byte("current-context: production\n"), 0o600))
	said = m.down()
	assert.Contains(t, said, "The control plane has stopped")
	assert.Contains(t, said, lasting.Kubeconfig+" is no kubeconfig of this repository,\nso it is left alone")
	assert.NoDirExists(t, lasting.Dir)
	assert.FileExists(t, lasting.Kubeconfig)
	code, said = m.cluster("up")
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "move it away")
	assert.Contains(t, m.status(), "No control plane of `make up` runs")
}

// A disk was full, or an editor was at it. That plane.json says nothing does not mean that nothing runs.
func TestADescriptionThatWasCutShort(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	lasting := m.up()
	file := filepath.Join(m.state(), "plane.json")
	require.NoError(t, os.Truncate(file, 20))
	code, said := m.cluster("up")
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "the control plane can't be used, though it runs: "+file+" is damaged")
	assert.Contains(t, said, "`cp "+filepath.Join(lasting.Dir, "plane.json")+" "+m.state()+"` brings back")
	assert.NotEmpty(t, servers(t, lasting), "it runs on")

	copied, err := os.ReadFile(filepath.Join(lasting.Dir, "plane.json")) // as the message says
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, copied, 0o600))
	code, said = m.cluster("up")
	require.Zero(t, code, said)
	assert.Contains(t, said, "runs already")

	require.NoError(t, os.Truncate(file, 20))
	assert.Contains(t, m.down(), "The control plane has stopped")
	assert.NoDirExists(t, lasting.Dir)
	assert.NoFileExists(t, lasting.Kubeconfig)
}

func TestAControlPlaneThatNobodyFindsSaysWhyItEnds(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	lasting := m.up()
	require.NoError(t, os.Remove(filepath.Join(m.state(), "plane.json")))
	m.nothingRuns()
	log, err := os.ReadFile(filepath.Join(m.state(), "supervisor.log"))
	require.NoError(t, err)
	assert.Contains(t, string(log), "the control plane has ended: nobody can find it any more: "+m.state()+
		" has no plane.json")
	assert.NoDirExists(t, lasting.Dir)
	m.down()
}

func TestASupervisorThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	lasting := m.up()
	require.NoError(t, syscall.Kill(lasting.Supervisor, syscall.SIGSTOP))
	assert.Contains(t, m.status(), "does not answer")
	p, a := m.chapter()
	assert.True(t, a.Private)
	assert.Contains(t, p.end(), "The control plane of `make up` does not answer")
	assert.Contains(t, m.down(), "has stopped")
	assert.Contains(t, m.status(), "No control plane of `make up` runs")
}

func TestAStateDirectoryWithoutRoom(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	require.NoError(t, os.Mkdir(m.state(), 0o700))
	// Two pages: one for the lock's note, one for the kubeconfig, none for plane.json.
	p := m.inNamespace(t, "cluster", "-rm", "mount -t tmpfs -o size=8k,mode=700 tmpfs "+m.state(), "up")
	code, said := p.wait()
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "no space left on device")
	assert.Contains(t, said, m.state())
}

func TestAServerThatCannotStart(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	fakeservers.Fail(t, m.assets, "kube-apiserver", "Error: unknown flag: --nonsense")
	code, said := m.cluster("up")
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "kube-apiserver did not start: Error: unknown flag: --nonsense")
	fits(t, said)
	m.nothingRuns()
}

func TestAControlPlaneThatIsShared(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	owner, a := m.chapter()
	user := &machine{t: t, dir: m.dir, env: append(m.env, local.SharedEnv+"="+a.Plane.Kubeconfig,
		"CONTROLLERS=yes")}
	p, b := user.chapter()
	assert.False(t, b.Private)
	assert.Equal(t, a.Plane.Dir, b.Plane.Dir)
	assert.True(t, b.Plane.Controllers, "started on demand")
	p.end()
	p, _ = user.chapter()
	owner.end()
	_, said := p.wait()
	assert.Contains(t, said, "the chapter noticed: the control plane was stopped")

	p = user.start("chapter")
	code, said := p.wait()
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "unset it")

	user.env = append(m.env, local.SharedEnv+"="+filepath.Join(t.TempDir(), "config"))
	code, said = user.start("chapter").wait()
	assert.Equal(t, 1, code, "any other kubeconfig is refused")
	assert.Contains(t, said, "set CLUSTER=kubeconfig")
}

func TestAFolderOfSocketsThatOthersMayEnter(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	p, a := m.chapter()
	base := filepath.Dir(a.Plane.Dir)
	p.end()
	require.NoError(t, os.Chmod(base, 0o755))
	code, said := m.start("chapter").wait()
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "is not a folder of yours with mode 0700")
}
