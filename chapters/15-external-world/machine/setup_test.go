package machine_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

const roleVariable = "SCRATCH_TEST_ROLE"

// wait is how long a test waits at most for what happens at once, and tick how often it asks where nothing tells it.
const (
	wait = 20 * time.Second
	tick = time.Millisecond
)

// roles are what this binary is when a test starts it again, by the name in the variable.
var roles = map[string]func(){}

// leash ends with this program, however it ends: what its tests have started must not outlive it. held is its other
// end.
var leash, held *os.File

func TestMain(m *testing.M) {
	machine.RunIfShim()
	if role := roles[os.Getenv(roleVariable)]; role != nil {
		role()
		os.Exit(0)
	}
	var err error
	if leash, held, err = os.Pipe(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if z := zombies(); code == 0 && len(z) > 0 {
		fmt.Fprintln(os.Stderr, "zombies are left:", z)
		code = 1
	}
	runtime.KeepAlive(held)
	os.Exit(testkit.Settle(code))
}

// play starts this binary in a role. It is killed at the end of the test, if it still runs.
func play(t *testing.T, role string, env ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	c := exec.Command(self)
	c.Env = append(append(os.Environ(), roleVariable+"="+role), env...)
	c.Stderr = os.Stderr
	t.Cleanup(func() {
		if c.Process != nil && c.ProcessState == nil {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	})
	return c
}

// open makes a machine over a folder of its own. Whatever it has started ends with the test.
func open(t *testing.T, change ...func(*machine.Options)) (*machine.Machine, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "state")
	m := over(t, dir, change...)
	t.Cleanup(func() { endAll(t, m) })
	return m, dir
}

// over makes a machine over a folder that is there.
func over(t *testing.T, dir string, change ...func(*machine.Options)) *machine.Machine {
	t.Helper()
	o := machine.Options{Leash: leash}
	for _, c := range change {
		c(&o)
	}
	m, err := machine.New(dir, o)
	require.NoError(t, err)
	return m
}

// endAll ends what runs, and waits for it.
func endAll(t *testing.T, m *machine.Machine) {
	all, err := m.List()
	if err != nil {
		t.Log(err)
	}
	for _, seen := range all {
		if seen.State == machine.Running {
			_ = m.Signal(seen.Spec.Run, syscall.SIGKILL)
			_, _ = m.Wait(soon(t), seen.Spec.Run)
		}
	}
}

// soon is a context that ends before a test takes too long. It ends after t's cleanups, too.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	t.Cleanup(cancel)
	return ctx
}

// shell is a shell's script as the first run of a UID.
func shell(uid types.UID, script string, args ...string) machine.Spec {
	return machine.Spec{
		Run: machine.Run{UID: uid, Attempt: 1}, Object: types.NamespacedName{Namespace: "default", Name: string(uid)},
		Generation: 3, Command: "sh", Args: append([]string{"-c", script, "sh"}, args...), Grace: time.Second,
	}
}

// start starts, and looks.
func start(t *testing.T, m *machine.Machine, s machine.Spec) machine.Seen {
	t.Helper()
	require.NoError(t, m.Start(soon(t), s))
	seen, err := m.Look(s.UID)
	require.NoError(t, err)
	return seen
}

// ended waits for the end of a run.
func ended(t *testing.T, m *machine.Machine, r machine.Run) machine.Seen {
	t.Helper()
	seen, err := m.Wait(soon(t), r)
	require.NoError(t, err)
	return seen
}

// line is a FIFO between a test and the processes it starts. They say lines, or wait for one.
type line struct {
	path    string
	in, out *os.File
}

func newLine(t *testing.T) *line {
	t.Helper()
	l := &line{path: filepath.Join(t.TempDir(), "line")}
	require.NoError(t, syscall.Mkfifo(l.path, 0o600))
	for _, file := range []**os.File{&l.in, &l.out} {
		f, err := os.OpenFile(l.path, os.O_RDWR|syscall.O_NONBLOCK, 0)
		require.NoError(t, err)
		t.Cleanup(func() { f.Close() })
		*file = f
	}
	return l
}

// say lets whoever reads a line go on.
func (l *line) say(t *testing.T) {
	t.Helper()
	_, err := l.out.WriteString("go\n")
	require.NoError(t, err)
}

// hear is the next line that is said.
func (l *line) hear(t *testing.T) string {
	t.Helper()
	said, err := l.read()
	require.NoError(t, err, "nobody said a line; so far: %q", said)
	return said
}

// hangUp returns when each process has ended that has the line open for writing.
func (l *line) hangUp(t *testing.T) {
	t.Helper()
	in, err := os.OpenFile(l.path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	require.NoError(t, err)
	defer in.Close()
	l.in.Close()
	l.out.Close()
	l.in = in
	for err == nil {
		_, err = l.read()
	}
	require.ErrorIs(t, err, io.EOF, "somebody has it open still")
}

// nothing fails if somebody has said a line that was not heard.
func (l *line) nothing(t *testing.T) {
	t.Helper()
	raw, err := l.in.SyscallConn()
	require.NoError(t, err)
	require.NoError(t, raw.Control(func(fd uintptr) {
		_, err = syscall.Read(int(fd), make([]byte, 1))
	}))
	require.ErrorIs(t, err, syscall.EAGAIN, "somebody said more")
}

func (l *line) read() (string, error) {
	_ = l.in.SetReadDeadline(time.Now().Add(wait))
	var said []byte
	for one := make([]byte, 1); ; {
		if _, err := l.in.Read(one); err != nil || one[0] == '\n' {
			return string(said), err
		}
		said = append(said, one[0])
	}
}

// zombies are the children of this process that nobody has waited for. Only Linux says.
func zombies() (found []string) {
	all, _ := filepath.Glob("/proc/[1-9]*/stat")
	for _, path := range all {
		text, _ := os.ReadFile(path)
		_, after, _ := strings.Cut(string(text), ") ")
		if strings.HasPrefix(after, fmt.Sprintf("Z %d ", os.Getpid())) {
			found = append(found, string(text))
		}
	}
	return found
}
