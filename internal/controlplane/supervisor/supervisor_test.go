package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/supervisor/fakeservers"
)

func (r *run) dial() net.Conn {
	r.t.Helper()
	conn, err := net.Dial("unix", filepath.Join(r.dir, plane.RunControl))
	require.NoError(r.t, err)
	return conn
}

func TestTheEndOfTheLeashEndsEverything(t *testing.T) {
	r := start(t, fakeservers.Assets(t), func(c *Config) { c.Controllers = true })
	p := r.plane()
	assert.True(t, p.Controllers)
	info, err := os.Stat(r.dir)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm(), "only we may enter the folder of etcd's socket")
	info, err = os.Stat(p.Kubeconfig)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "only we may read the kubeconfig")
	require.NoError(t, r.leash.Close())
	assert.NoError(t, r.wait(), "to be let go is no failure")
}

// With a path in it etcd's peer URL becomes a socket without a file, which every user of the machine reaches.
func TestEtcdsSocketsAreFilesOfTheRunDirectory(t *testing.T) {
	r := start(t, fakeservers.Assets(t), nil)
	r.plane()
	for _, name := range []string{"e.sock", "p.sock"} {
		info, err := os.Lstat(filepath.Join(r.dir, name))
		require.NoError(t, err)
		assert.Equal(t, os.ModeSocket, info.Mode().Type(), name)
	}
}

// etcd reads each of its flags from a variable too, and a shell may have those of another etcd.
func TestVariablesOfAnotherEtcd(t *testing.T) {
	t.Setenv("ETCD_NAME", "infra0")
	t.Setenv("ETCD_DATA_DIR", t.TempDir())
	start(t, fakeservers.Assets(t), nil).plane()
}

// A server that dies of a full disk says so, in words.
func TestAFullDiskIsNamed(t *testing.T) {
	r := start(t, fakeservers.Assets(t), nil)
	r.plane()
	log, err := os.OpenFile(filepath.Join(r.dir, "etcd.log"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = log.WriteString("panic: %!w(*fs.PathError=&{write /x 28})\n")
	require.NoError(t, errors.Join(err, log.Close()))
	require.NoError(t, syscall.Kill(r.process(plane.Etcd), syscall.SIGABRT))
	var f *plane.Failure
	require.ErrorAs(t, r.wait(), &f)
	assert.Contains(t, f.Cause, "write /x: no space left on device; free some space in "+base)
}

// The servers' working directory is not ours: a path that we were given must not change its meaning on the way to them.
func TestRelativePaths(t *testing.T) {
	here, err := os.Getwd()
	require.NoError(t, err)
	relative := func(path string) string {
		path, err := filepath.Rel(here, path)
		require.NoError(t, err)
		return path
	}
	lab := t.TempDir()
	r := start(t, relative(fakeservers.Assets(t)), func(c *Config) {
		c.Run, c.Lasting, c.Controllers = relative(c.Run), relative(lab), true
	})
	p := r.plane()
	assert.Equal(t, r.dir, p.Dir)
	assert.Equal(t, filepath.Join(lab, "kubeconfig"), p.Kubeconfig)
}

func TestAfterDetachTheEndOfTheLeashEndsNothing(t *testing.T) {
	r := start(t, fakeservers.Assets(t), nil)
	r.plane()
	_, err := io.WriteString(r.leash, plane.Detach+"\n")
	require.NoError(t, err)
	r.leash.Close()
	r.process(plane.Etcd)
	assert.Empty(t, r.ask(plane.Request{Op: plane.OpStop}).Error)
	assert.NoDirExists(t, r.dir, "the run directory is gone before the answer comes")
	assert.NoError(t, r.wait())
}

func TestAServerThatDiesIsNamed(t *testing.T) {
	for _, name := range plane.Servers {
		t.Run(string(name), func(t *testing.T) {
			t.Parallel()
			r := start(t, fakeservers.Assets(t), func(c *Config) { c.Controllers = true })
			r.plane()
			require.NoError(t, syscall.Kill(r.process(name), syscall.SIGKILL))
			var f *plane.Failure
			require.ErrorAs(t, r.wait(), &f)
			assert.Equal(t, name, f.Component)
			assert.Contains(t, f.Cause, "signal: killed")
			assert.Equal(t, f.Error(), r.events[len(r.events)-1].Failed.Error(), "the program that started it is told")
			assert.FileExists(t, f.LogFile, "the log outlives the run directory")
			assert.Equal(t, base, filepath.Dir(f.LogFile))
		})
	}
}

func TestALeashThatIsKilledTakesItsServerAlong(t *testing.T) {
	for _, name := range []plane.Component{plane.Etcd, plane.KubeAPIServer} {
		t.Run(string(name), func(t *testing.T) {
			t.Parallel()
			r := start(t, fakeservers.Assets(t), nil)
			r.plane()
			group, err := syscall.Getpgid(r.process(name))
			require.NoError(t, err)
			require.NoError(t, syscall.Kill(group, syscall.SIGKILL), "the leash leads its server's group")
			var f *plane.Failure
			require.ErrorAs(t, r.wait(), &f)
			assert.Equal(t, name, f.Component)
			assert.Contains(t, f.Cause, "the process that holds it was killed")
		})
	}
}

// What says that it is a leash tells its process id, and the group of that number is killed when it goes: -1 is
// everybody.
func TestAWrongLeashKillsNobody(t *testing.T) {
	bystander := exec.Command("sleep", "60")
	bystander.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	require.NoError(t, bystander.Start())
	defer bystander.Wait()
	defer bystander.Process.Kill()
	assert.True(t, isLeash(bystander.Process.Pid), "our child, in a group of its own")
	for _, pid := range []int{-1, 0, 1, os.Getpid(), os.Getppid(), 1 << 30, -bystander.Process.Pid} {
		assert.False(t, isLeash(pid), pid)
	}
}

func TestAServerThatDoesNotStartIsNamedWithTheLineThatSaysWhy(t *testing.T) {
	for name, log := range map[plane.Component]string{
		plane.Etcd:                  `{"level":"fatal","msg":"discovery failed","error":"bad member"}`,
		plane.KubeAPIServer:         "I1121 12:00:00 fine\nError: unknown flag: --nonsense",
		plane.KubeControllerManager: "F1121 12:00:00 main.go:1] no kubeconfig",
	} {
		t.Run(string(name), func(t *testing.T) {
			t.Parallel()
			assets := fakeservers.Assets(t)
			fakeservers.Fail(t, assets, string(name), log)
			r := start(t, assets, func(c *Config) { c.Controllers = true })
			var f *plane.Failure
			require.ErrorAs(t, r.wait(), &f)
			assert.Equal(t, name, f.Component)
			assert.Contains(t, f.Cause, map[plane.Component]string{
				plane.Etcd:                  "discovery failed: bad member",
				plane.KubeAPIServer:         "unknown flag: --nonsense",
				plane.KubeControllerManager: "no kubeconfig",
			}[name])
			assert.NotEmpty(t, f.Log)
		})
	}
}

func TestItIsLetGoWhileItStarts(t *testing.T) {
	for _, name := range plane.Servers {
		t.Run(string(name), func(t *testing.T) {
			t.Parallel()
			assets := fakeservers.Assets(t)
			sign := fakeservers.Hang(t, assets, string(name))
			if name == plane.KubeControllerManager {
				fakeservers.Hang(t, assets, string(plane.KubeAPIServer)) // which the controllers wait for
				sign = filepath.Join(assets, "kube-apiserver.is-hanging")
			}
			r := start(t, assets, func(c *Config) { c.Controllers = true })
			eventually(t, "the server that hangs", func() bool { return exists(sign) })
			r.leash.Close()
			assert.NoError(t, r.wait(), "to be let go is no failure")
		})
	}
}

func TestASignalEndsEverything(t *testing.T) {
	r := start(t, fakeservers.Assets(t), nil)
	r.plane()
	r.cancel() // what main makes of SIGTERM
	assert.NoError(t, r.wait())
}

func TestAPortThatIsTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	r := start(t, fakeservers.Assets(t), func(c *Config) { c.Port = l.Addr().(*net.TCPAddr).Port })
	assert.ErrorContains(t, r.wait(), "is taken: stop the program that listens there, or choose another port")
}

func TestTheAPIServerRestarts(t *testing.T) {
	r := start(t, fakeservers.Assets(t), nil)
	p := r.plane()
	before := r.process(plane.KubeAPIServer)
	require.Empty(t, r.ask(plane.Request{Op: plane.OpRestart}).Error)
	assert.NotEqual(t, before, r.process(plane.KubeAPIServer))
	require.Empty(t, r.ask(plane.Request{Op: plane.OpStopServer}).Error)
	assert.Zero(t, r.ask(plane.Request{Op: plane.OpStatus}).Processes[plane.KubeAPIServer])
	reply := r.ask(plane.Request{Op: plane.OpStartServer})
	require.Empty(t, reply.Error)
	assert.Equal(t, p.Server, reply.Plane.Server, "on the same port")
	assert.Contains(t, r.ask(plane.Request{Op: plane.OpStartServer}).Error, "runs already")
}

func TestAnAPIServerThatDoesNotComeBackEndsEverything(t *testing.T) {
	assets := fakeservers.Assets(t)
	r := start(t, assets, nil)
	r.plane()
	fakeservers.Fail(t, assets, "kube-apiserver", "Error: no")
	assert.Contains(t, r.ask(plane.Request{Op: plane.OpRestart}).Error,
		"kube-apiserver did not start: Error: no")
	assert.ErrorContains(t, r.wait(), "kube-apiserver did not start: Error: no")
}

func TestControllersOnDemand(t *testing.T) {
	assets := fakeservers.Assets(t)
	r := start(t, assets, nil)
	assert.False(t, r.plane().Controllers)
	reply := r.ask(plane.Request{Op: plane.OpControllers, Assets: t.TempDir()})
	assert.Contains(t, reply.Error, "there is no kube-controller-manager in")
	reply = r.ask(plane.Request{Op: plane.OpControllers, Assets: assets})
	require.Empty(t, reply.Error)
	assert.True(t, reply.Plane.Controllers)
	first := r.process(plane.KubeControllerManager)
	require.Empty(t, r.ask(plane.Request{Op: plane.OpControllers, Assets: assets}).Error)
	assert.Equal(t, first, r.process(plane.KubeControllerManager), "a second request starts no second one")
}

func TestALastingPlaneWhoseStateIsGoneEnds(t *testing.T) {
	lab := t.TempDir()
	r := start(t, fakeservers.Assets(t), func(c *Config) { c.Lasting = lab })
	p := r.plane()
	assert.Equal(t, filepath.Join(lab, "kubeconfig"), p.Kubeconfig)
	require.NoError(t, os.RemoveAll(lab), "as when somebody removes the clone")
	assert.NoError(t, r.wait())
}

// For a moment plane.json is not there, or is half of one, or an old copy, and a process can have too many files open.
// None of that is the end of a control plane.
func TestALastingPlaneIsNotLostInAMoment(t *testing.T) {
	lab, run := t.TempDir(), "/runs/ours"
	path := filepath.Join(lab, "plane.json")
	write := func(dir string) error {
		return (&plane.Plane{Dir: dir, Kubeconfig: "/kubeconfig"}).WriteTo(lab)
	}
	good := func() error { return write(run) }
	gone := func() error { return os.RemoveAll(path) }
	other := func() error { return write("/runs/other") }
	half := func() error { return os.WriteFile(path, []byte(`{"dir": "/runs/`), 0o600) }
	odd := func() error { return errors.Join(os.RemoveAll(path), os.Mkdir(path, 0o700)) }
	for name, c := range map[string]struct {
		steps []func() error
		ends  string // empty: it does not
	}{
		"as it was":            {[]func() error{good, good, good, good}, ""},
		"half of it":           {[]func() error{half, half, half, half, half}, ""},
		"no file":              {[]func() error{odd, odd, odd, odd, odd}, ""},
		"gone for a moment":    {[]func() error{gone, gone, good, gone, gone, good}, ""},
		"a copy for a moment":  {[]func() error{other, other, good}, ""},
		"gone, half and gone":  {[]func() error{gone, half, gone, half, gone, good}, ""},
		"gone":                 {[]func() error{gone, gone, gone}, lab + " has no plane.json"},
		"another in its place": {[]func() error{other, other, other}, "names the control plane in /runs/other"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &Supervisor{config: Config{Run: run, Lasting: lab}}
				s.end, s.endWith = context.WithCancelCause(t.Context())
				defer s.endWith(nil)
				require.NoError(t, odd())
				go s.watchState()
				for _, step := range c.steps {
					require.NoError(t, os.RemoveAll(path))
					require.NoError(t, step())
					require.NoError(t, s.end.Err())
					time.Sleep(time.Second) // of the bubble's clock
					synctest.Wait()
				}
				if c.ends == "" {
					assert.NoError(t, s.end.Err())
					return
				}
				require.ErrorIs(t, context.Cause(s.end), errOrphan)
				assert.ErrorContains(t, context.Cause(s.end), c.ends)
			})
		})
	}
}

// crowded is a listener of a process that has too many files open when it is asked first.
type crowded struct {
	net.Listener
	refuse int
	conns  chan net.Conn
}

func (c *crowded) Accept() (net.Conn, error) {
	if c.refuse > 0 {
		c.refuse--
		return nil, &net.OpError{Op: "accept", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
	conn, open := <-c.conns
	if !open {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func TestASupervisorWithTooManyOpenFilesAnswersLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		socket := &crowded{refuse: 3, conns: make(chan net.Conn)}
		s := &Supervisor{socket: socket}
		s.end, s.endWith = context.WithCancelCause(t.Context())
		defer s.endWith(nil)
		s.conns.Go(s.serve)
		ours, theirs := net.Pipe()
		defer ours.Close()
		select {
		case socket.conns <- theirs:
		case <-time.After(time.Minute):
			t.Error("it does not listen any more")
			return
		}
		require.NoError(t, json.NewEncoder(ours).Encode(plane.Request{Op: plane.OpStatus}))
		var reply plane.Reply
		require.NoError(t, json.NewDecoder(ours).Decode(&reply))
		assert.NotNil(t, reply.Plane)
		close(socket.conns)
		s.conns.Wait()
	})
}

func TestAKubeconfigThatAnotherToolHasPutThereStays(t *testing.T) {
	const theirs = "current-context: production\n"
	t.Run("when a server dies", func(t *testing.T) {
		lab := t.TempDir()
		r := start(t, fakeservers.Assets(t), func(c *Config) { c.Lasting = lab })
		path := r.plane().Kubeconfig
		require.NoError(t, os.WriteFile(path, []byte(theirs), 0o600))
		require.NoError(t, syscall.Kill(r.process(plane.Etcd), syscall.SIGKILL))
		require.Error(t, r.wait())
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, theirs, string(data))
		p, err := plane.Read(lab)
		require.NoError(t, err)
		assert.NotNil(t, p.Failure, "the reason is written down all the same")
	})
	t.Run("when the controllers start", func(t *testing.T) {
		lab, assets := t.TempDir(), fakeservers.Assets(t)
		r := start(t, assets, func(c *Config) { c.Lasting = lab })
		path := r.plane().Kubeconfig
		require.NoError(t, os.WriteFile(path, []byte(theirs), 0o600))
		reply := r.ask(plane.Request{Op: plane.OpControllers, Assets: assets})
		assert.Contains(t, reply.Error, "is no kubeconfig of this repository, so it is left alone")
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, theirs, string(data))
	})
}

func TestALastingPlaneThatFailsLeavesTheReason(t *testing.T) {
	lab := t.TempDir()
	r := start(t, fakeservers.Assets(t), func(c *Config) { c.Lasting = lab })
	r.plane()
	require.NoError(t, syscall.Kill(r.process(plane.Etcd), syscall.SIGKILL))
	require.Error(t, r.wait())
	p, err := plane.Read(lab)
	require.NoError(t, err)
	require.NotNil(t, p.Failure)
	assert.Equal(t, plane.Etcd, p.Failure.Component)
	assert.FileExists(t, p.Failure.LogFile, "the log outlives the run directory")
	assert.NoFileExists(t, filepath.Join(lab, "kubeconfig"), "a kubeconfig that leads nowhere is no use")
}

func TestEtcdsPortTellsMetrics(t *testing.T) {
	r := start(t, fakeservers.Assets(t), nil)
	answer, err := http.Get(r.plane().EtcdMetrics + "/metrics")
	require.NoError(t, err)
	defer http.DefaultClient.CloseIdleConnections()
	defer answer.Body.Close()
	assert.Equal(t, http.StatusOK, answer.StatusCode)
}

// Between the death of a server and the end of everything it would be said that all is well.
func TestWhatEndsDoesNotRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Supervisor{stopped: make(chan struct{})}
		s.end, s.endWith = context.WithCancelCause(t.Context())
		s.endWith(&plane.Failure{Component: plane.Etcd})
		answer := make(chan error, 1)
		go func() {
			_, err := s.do(nil, plane.Request{Op: plane.OpStatus})
			answer <- err
		}()
		synctest.Wait()
		assert.Empty(t, answer, "the answer waits until the reason is written down")
		close(s.stopped)
		assert.EqualError(t, <-answer, "it has just ended")
	})
}
