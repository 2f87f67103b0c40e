package local

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane/planetest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// ours is a kubeconfig as a supervisor writes it.
const ours = `apiVersion: v1
kind: Config
current-context: controllers-from-scratch
contexts:
- name: controllers-from-scratch
  context:
    cluster: controllers-from-scratch
    user: admin
    namespace: default
clusters:
- name: controllers-from-scratch
  cluster:
    server: https://127.0.0.1:6443
    certificate-authority-data: QQ==
users:
- name: admin
  user:
    client-certificate-data: QQ==
    client-key-data: QQ==
`

// stage is a state folder whose plane.json names a run directory that somebody has made by hand.
type stage struct {
	lab, run string
	plane    plane.Plane // the truth
	asked    atomic.Int32
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{lab: t.TempDir()}
	t.Setenv(plane.StateEnv, s.lab)
	t.Setenv(SharedEnv, "")
	s.run = newRun(t, filepath.Join(newBase(t), "handmade"), true)
	s.plane = plane.Plane{
		Dir: s.run, Lasting: s.lab, Kubeconfig: filepath.Join(s.lab, plane.RunKubeconfig),
		Server:      "https://127.0.0.1:6443",
		EtcdMetrics: "http://127.0.0.1:2381", Version: "v1.0.0", Started: time.Now(),
		Expires: time.Now().Add(time.Hour),
	}
	require.NoError(t, s.plane.WriteTo(s.lab))
	s.kubeconfig(t, ours)
	return s
}

func (s *stage) kubeconfig(t *testing.T, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(s.plane.Kubeconfig, []byte(text), 0o600))
}

// listen has somebody answer on the socket at path.
func (s *stage) listen(t *testing.T, path string, answer func(conn net.Conn)) {
	t.Helper()
	l, err := net.Listen("unix", path)
	require.NoError(t, err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.asked.Add(1)
			answer(conn)
			conn.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-ended })
}

// says listens in the supervisor's place, and answers as change has it.
func (s *stage) says(t *testing.T, change func(r *plane.Reply)) {
	t.Helper()
	p := s.plane
	reply := &plane.Reply{Plane: &p, Processes: map[plane.Component]int{plane.Etcd: 7}}
	if change != nil {
		change(reply)
	}
	s.listen(t, filepath.Join(s.run, plane.RunControl), func(conn net.Conn) {
		conn.Read(make([]byte, 1000))
		json.NewEncoder(conn).Encode(reply)
		io.Copy(io.Discard, conn)
	})
}

// refused asserts that neither status nor a program that looks for a control plane takes this one. The report has no
// control plane, so that Down has none to stop.
func (s *stage) refused(t *testing.T, why string) {
	t.Helper()
	s.notUsed(t, Damaged, why)
	r, err := Status(t.Context())
	require.NoError(t, err)
	assert.Nil(t, r.Plane)
}

// notUsed asserts the state that is reported, why, and that no program uses the control plane.
func (s *stage) notUsed(t *testing.T, state State, why string) {
	t.Helper()
	r, err := Status(t.Context())
	require.NoError(t, err)
	assert.Equal(t, state, r.State, r.Why)
	assert.Contains(t, r.Why, why)
	said := &heard{Display: term.Quiet()}
	i, err := existing(t.Context(), said)
	require.NoError(t, err)
	if !assert.Nil(t, i, "a control plane that cannot be trusted is used") {
		i.Close()
	}
	assert.Contains(t, said.String(), why)
	t.Setenv(SharedEnv, s.plane.Kubeconfig)
	_, err = existing(t.Context(), term.Quiet())
	assert.ErrorContains(t, err, why)
	t.Setenv(SharedEnv, "")
	for _, text := range []string{r.Why, said.String(), err.Error()} {
		assert.NotContains(t, text, "\x1b")
	}
}

// heard is a Display that remembers.
type heard struct {
	term.Display
	strings.Builder
}

func (h *heard) Say(format string, args ...any) { fmt.Fprintf(h, format+"\n", args...) }

func TestAnHonestSupervisorIsBelieved(t *testing.T) {
	s := newStage(t)
	s.says(t, nil)
	r, err := Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, Running, r.State, r.Why)
	assert.Equal(t, s.plane.Kubeconfig, r.Plane.Kubeconfig)
	assert.Equal(t, map[plane.Component]int{plane.Etcd: 7}, r.Processes)
	for _, env := range []string{"", s.plane.Kubeconfig} {
		t.Setenv(SharedEnv, env)
		i, err := existing(t.Context(), term.Quiet())
		require.NoError(t, err)
		require.NotNil(t, i)
		require.NoError(t, i.Close())
	}
}

func TestASupervisorsWordIsHeldAgainstWhatIsThere(t *testing.T) {
	elsewhere := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(elsewhere, plane.RunKubeconfig), []byte(ours), 0o600))
	for name, c := range map[string]struct {
		change func(r *plane.Reply)
		why    string
	}{
		"no plane": {func(r *plane.Reply) { r.Plane = nil }, "it does not describe its control plane"},
		"another run directory": {func(r *plane.Reply) { r.Plane.Dir = elsewhere },
			"it says that it is in " + elsewhere},
		"another state folder": {func(r *plane.Reply) {
			r.Plane.Lasting, r.Plane.Kubeconfig = elsewhere, filepath.Join(elsewhere, plane.RunKubeconfig)
		}, "it belongs to " + elsewhere},
		"no state folder": {func(r *plane.Reply) {
			r.Plane.Lasting, r.Plane.Kubeconfig = "", filepath.Join(r.Plane.Dir, plane.RunKubeconfig)
		}, "does not tell the truth"},
		"a kubeconfig elsewhere": {func(r *plane.Reply) {
			r.Plane.Kubeconfig = filepath.Join(elsewhere, plane.RunKubeconfig)
		}, "it names the kubeconfig " + elsewhere},
		"a kubeconfig of another name": {func(r *plane.Reply) { r.Plane.Kubeconfig += "2" }, "it names the kubeconfig"},
		"a server elsewhere": {
			func(r *plane.Reply) { r.Plane.Server = "https://10.1.2.3:6443" }, "it names the address",
		},
		"a server by name": {func(r *plane.Reply) { r.Plane.Server = "https://127.0.0.1.example.com" },
			"it names the address"},
		"metrics elsewhere": {func(r *plane.Reply) { r.Plane.EtcdMetrics = "http://\x1b[2J" }, "it names the address"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.says(t, c.change)
			s.refused(t, c.why)
		})
	}
}

func TestWhatASupervisorSaysIsPrintable(t *testing.T) {
	s := newStage(t)
	s.says(t, func(r *plane.Reply) {
		r.Plane.Version = "v1\x1b]0;title\a\u202e"
		r.Processes = map[plane.Component]int{"etcd\x1b[2J": 7, plane.Etcd: -1}
	})
	r, err := Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, Running, r.State, r.Why)
	assert.NotRegexp(t, "[\x00-\x1f\u202e]", r.Plane.Version)
	assert.Empty(t, r.Processes)
	_, err = plane.ReadReply(t.Context(), json.NewDecoder(strings.NewReader(`{"error": "\u001b[2Jno\nlog"}`)))
	assert.EqualError(t, err, " [2Jno\n    log")
}

// TestAKubeconfigThatIsNotAsWeWriteIt has files that kubectl would run a program for, or send something to another
// machine.
func TestAKubeconfigThatIsNotAsWeWriteIt(t *testing.T) {
	user, cluster := "    client-key-data: QQ==\n", "    certificate-authority-data: QQ==\n"
	for name, c := range map[string]struct{ text, why string }{
		"a plugin": {strings.Replace(ours, user, user+"    exec: {command: touch}\n", 1), `"users.user.exec"`},
		"a provider": {strings.Replace(ours, user, user+"    auth-provider: {name: x}\n", 1),
			`"users.user.auth-provider"`},
		"a file as a token": {strings.Replace(ours, user, user+"    tokenFile: /etc/shadow\n", 1),
			`"users.user.tokenFile"`},
		"a proxy": {strings.Replace(ours, cluster, cluster+"    proxy-url: http://10.1.2.3\n", 1),
			`"clusters.cluster.proxy-url"`},
		"another machine": {strings.Replace(ours, "127.0.0.1", "10.1.2.3", 1), "which is not on this machine"},
		"a name": {
			strings.Replace(ours, "127.0.0.1", "localhost.example.com", 1), "which is not on this machine",
		},
		"a user in front": {strings.Replace(ours, "127.0.0.1", "127.0.0.1:1@10.1.2.3", 1),
			"which is not on this machine"},
		"two servers": {strings.Replace(ours, cluster, cluster+"    server: https://10.1.2.3\n", 1), "already set"},
		"in capitals": {strings.Replace(ours, cluster, cluster+"    SERVER: https://127.0.0.1\n", 1),
			`"clusters.cluster.SERVER"`},
		"another user's": {ours + "- name: other\n  user: {exec: {command: touch}}\n", `"users.user.exec"`},
		"escapes":        {"{\"\\u001b[2J\": 1}", "which no kubeconfig of this repository has"},
		"nothing":        {"", "it names no server"},
		"no context": {
			strings.Replace(ours, "current-context: controllers-from-scratch", "", 1), "it names no server",
		},
		"no server": {strings.Replace(ours, "    server: https://127.0.0.1:6443\n", "", 1),
			"which is not on this machine"},
		"no YAML":          {"\x1b[2J{", "it is neither YAML nor JSON"},
		"a very long file": {strings.Repeat("#", 2<<20), "it is no ordinary file"},
		"merged in an anchor": {strings.Replace(ours, user, user+"    <<: {exec: {command: touch}}\n", 1),
			`"users.user.exec"`},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.says(t, nil)
			s.kubeconfig(t, c.text)
			s.notUsed(t, Unusable, c.why)
		})
	}
	for name, plant := range map[string]func(path string) error{
		"a link": func(path string) error {
			other := filepath.Join(t.TempDir(), "config")
			return errors.Join(os.WriteFile(other, []byte(ours), 0o600), os.Symlink(other, path))
		},
		"a pipe":   planetest.Mkfifo,
		"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.says(t, nil)
			require.NoError(t, os.Remove(s.plane.Kubeconfig))
			require.NoError(t, plant(s.plane.Kubeconfig))
			s.notUsed(t, Unusable, "it is no ordinary file")
		})
	}
	t.Run("a path that is a list", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a:b")
		require.NoError(t, os.WriteFile(path, []byte(ours), 0o600))
		assert.ErrorContains(t, plane.CheckKubeconfig(path), "kubectl takes its path for a list")
	})
	t.Run("what kubectl config changes", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "kubeconfig")
		text := strings.Replace(ours, "namespace: default", "namespace: tea", 1) + "preferences: {}\n"
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		assert.NoError(t, plane.CheckKubeconfig(path))
	})
}

func TestWhatIsNoSocketOfOursIsNotConnectedTo(t *testing.T) {
	for name, plant := range map[string]func(s *stage, path string) error{
		"a link to a socket": func(s *stage, path string) error {
			other := filepath.Join(filepath.Dir(filepath.Dir(s.run)), "foreign")
			s.listen(t, other, func(conn net.Conn) { json.NewEncoder(conn).Encode(plane.Reply{Plane: &s.plane}) })
			return os.Symlink(other, path)
		},
		"a pipe": func(_ *stage, path string) error { return planetest.Mkfifo(path) },
		"a file": func(_ *stage, path string) error { return os.WriteFile(path, nil, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			require.NoError(t, plant(s, filepath.Join(s.run, plane.RunControl)))
			s.refused(t, "its ctl is no socket of yours")
			assert.Zero(t, s.asked.Load(), "a request was sent to somebody else")
			_, err := Down(t.Context(), nil)
			require.NoError(t, err)
			assert.DirExists(t, s.run)
		})
	}
}

// An archive can hold a folder of the right name and mode with everything in it. Only the folder that TMPDIR names is
// looked into.
func TestAFolderOfRunDirectoriesElsewhere(t *testing.T) {
	s := newStage(t)
	s.says(t, nil)
	first := filepath.Dir(filepath.Dir(s.run))
	newBase(t)
	for _, try := range []func() error{
		func() error { _, err := Status(t.Context()); return err },
		func() error { _, err := Down(t.Context(), nil); return err },
		func() error { return plane.SweepRun(s.run) },
	} {
		err := try()
		require.ErrorIs(t, err, plane.ErrElsewhere)
		assert.ErrorContains(t, err, "run the command with TMPDIR="+first)
	}
	i, err := existing(t.Context(), term.Quiet())
	assert.NoError(t, err)
	assert.Nil(t, i)
	assert.Zero(t, s.asked.Load())
	t.Setenv("TMPDIR", first)
	r, err := Status(t.Context())
	require.NoError(t, err)
	assert.Equal(t, Running, r.State, r.Why)
}

func TestAnAnswerWithoutAnEnd(t *testing.T) {
	for name, text := range map[string]string{
		"of blanks":   " ",
		"of text":     "a",
		"of brackets": "[",
		"of a number": "1",
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			begin := map[string]string{"of text": `{"error": "`, "of brackets": `{"plane": `,
				"of a number": `{"processes": {"etcd": `}[name]
			s.listen(t, filepath.Join(s.run, plane.RunControl), func(conn net.Conn) {
				io.WriteString(conn, begin)
				for block := strings.Repeat(text, 1<<16); ; {
					if _, err := io.WriteString(conn, block); err != nil {
						return
					}
				}
			})
			s.refused(t, plane.ErrStranger.Error())
		})
	}
}

func TestOneWhoAcceptsAndSaysNothing(t *testing.T) {
	s := newStage(t)
	s.listen(t, filepath.Join(s.run, plane.RunControl), func(conn net.Conn) { io.Copy(io.Discard, conn) })
	r, err := Status(t.Context())
	require.NoError(t, err)
	assert.Equal(t, Hung, r.State, r.Why)
}

// A socket can be given to another owner while its maker goes on listening. So the kernel is asked who listens.
func TestASocketOnWhichAnotherUserListens(t *testing.T) {
	s := newStage(t)
	open := filepath.Join(filepath.Dir(filepath.Dir(s.run)), "open")
	require.NoError(t, os.Mkdir(open, 0o700))
	require.NoError(t, os.Chmod(filepath.Dir(open), 0o711))
	err := os.Chown(open, planetest.Nobody, planetest.Nobody)
	if err = errors.Join(err, listenAs(t, open, planetest.Nobody)); err != nil {
		t.Skipf("this machine lacks a second user to be: %v", err)
	}
	control := filepath.Join(s.run, plane.RunControl)
	require.NoError(t, os.Rename(filepath.Join(open, plane.RunControl), control))
	require.NoError(t, os.Lchown(control, os.Getuid(), os.Getgid()))
	s.refused(t, fmt.Sprintf("a process of user %d listens on its socket", planetest.Nobody))
}

// listenAs has another user listen in dir, until the end of the test.
func listenAs(t *testing.T, dir string, user uint32) error {
	t.Helper()
	// the test's own binary lies in a folder that others may not enter
	program := filepath.Join(filepath.Dir(dir), "listener")
	self, err := os.ReadFile(os.Args[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(program, self, 0o755))
	cmd := exec.Command(program, "-test.run=^TestListener$")
	cmd.Dir, cmd.Env = dir, []string{"LISTENER=yes", "GORACE=atexit_sleep_ms=0"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	if err := cmd.Start(); err != nil {
		return err
	}
	t.Cleanup(func() { stdin.Close(); cmd.Wait() })
	_, err = io.ReadFull(stdout, make([]byte, 1))
	return err
}

// TestListener is no test but the process that listenAs starts: it listens until its standard input ends.
func TestListener(t *testing.T) {
	if os.Getenv("LISTENER") == "" {
		return
	}
	l, err := net.Listen("unix", plane.RunControl)
	require.NoError(t, err)
	defer l.Close()
	fmt.Print(".")
	io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}
