package machine_test

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

// innocent is a process of the test's own that no machine has started. It ends with 0 when it is asked to, unless
// something has happened to it before.
type innocent struct {
	*exec.Cmd
	in io.Closer
	is machine.Identity
}

// newInnocent starts one, in a group of its own.
func newInnocent(t *testing.T) *innocent {
	t.Helper()
	c := exec.Command("cat")
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := c.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	who, alive, err := machine.Identify(c.Process.Pid)
	require.NoError(t, err)
	require.True(t, alive)
	i := &innocent{c, in, who}
	t.Cleanup(func() {
		if i.ProcessState == nil {
			_ = i.end()
		}
	})
	return i
}

func (i *innocent) end() error {
	i.in.Close()
	return i.Wait()
}

// started is the file of this name.
type started struct {
	Attempt  int
	Identity machine.Identity
	Session  int
	At       json.RawMessage
}

// lie has a run's folder say that another process runs it, and returns what it said.
func lie(t *testing.T, dir, uid string, change func(*started)) (was started) {
	t.Helper()
	path := filepath.Join(dir, uid, "started")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &was))
	is := was
	change(&is)
	text, err = json.Marshal(is)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, text, 0o600))
	return was
}

func TestSignalReachesNoStranger(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		lie    func(*started)
		harmed bool
	}{
		"another start": {lie: func(s *started) { s.Identity.Start += "1" }},
		"another boot":  {lie: func(s *started) { s.Identity.Boot = "another" }},
		"the same":      {lie: func(*started) {}, harmed: true}, // or the test could not tell
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, dir := open(t)
			someone := newInnocent(t)
			seen := start(t, m, shell("a", "read x <$1", newLine(t).path))
			was := lie(t, dir, "a", func(s *started) {
				s.Identity = someone.is
				test.lie(s)
			})
			err := m.Signal(seen.Spec.Run, syscall.SIGTERM)
			if test.harmed {
				require.NoError(t, err)
				require.Error(t, someone.end())
			} else {
				require.ErrorIs(t, err, machine.ErrGone)
				require.NoError(t, someone.end(), "it was signalled")
			}
			lie(t, dir, "a", func(s *started) { *s = was })
		})
	}
}

func TestSignalReachesTheGroup(t *testing.T) {
	t.Parallel()
	m, _ := open(t)
	child := newLine(t)
	seen := start(t, m, shell("a", `exec 9>$1; trap : TERM
		(trap "echo heard >&9; exit" TERM; echo up >&9; read x <$2) & wait; wait; exit 3`, child.path, newLine(t).path))
	require.Equal(t, "up", child.hear(t))
	require.NoError(t, m.Signal(seen.Spec.Run, syscall.SIGTERM))
	require.Equal(t, "heard", child.hear(t))
	require.EqualValues(t, 3, *ended(t, m, seen.Spec.Run).Exit.Code)
}

func TestSomeNumbersAreNeverSignalled(t *testing.T) {
	t.Parallel()
	m, dir := open(t)
	seen := start(t, m, shell("a", "read x <$1", newLine(t).path))
	for _, pid := range []int{-1, 1, os.Getpid(), unix.Getpgrp()} {
		who, _, err := machine.Identify(max(pid, 1))
		require.NoError(t, err)
		who.PID = pid
		was := lie(t, dir, "a", func(s *started) { s.Identity = who })
		// Signal 0 hurts nobody if the check is missing.
		require.ErrorContains(t, m.Signal(seen.Spec.Run, 0), "never signalled", "number %d", pid)
		lie(t, dir, "a", func(s *started) { *s = was })
	}
	require.NoError(t, m.Signal(seen.Spec.Run, 0))
}

// loseShim starts a run with a child in its group, and kills the shim.
func loseShim(t *testing.T, m *machine.Machine, dir string) (was machine.Seen, child *line) {
	t.Helper()
	child = newLine(t)
	script := `exec 9>$1; (trap "" HUP TERM; echo up >&9; read x <$2) & wait`
	was = start(t, m, shell("a", script, child.path, newLine(t).path))
	require.Equal(t, "up", child.hear(t))
	shim := lie(t, dir, "a", func(*started) {}).Session
	who, alive, err := machine.Identify(shim)
	require.NoError(t, err)
	require.True(t, alive && who.PID > 1)
	require.NoError(t, unix.Kill(shim, unix.SIGKILL))
	return was, child
}

func TestShimIsKilled(t *testing.T) {
	t.Parallel()
	m, dir := open(t)
	was, child := loseShim(t, m, dir)
	seen := ended(t, m, was.Spec.Run)
	require.Equal(t, machine.Lost, seen.State)
	require.Nil(t, seen.Exit)
	require.Equal(t, was.Identity, seen.Identity)
	child.hangUp(t)
	require.ErrorIs(t, m.Signal(was.Spec.Run, syscall.SIGTERM), machine.ErrGone)
	require.NoError(t, m.Start(soon(t), was.Spec), "a run is started once")
	seen, err := m.Look("a")
	require.NoError(t, err)
	require.Equal(t, machine.Lost, seen.State)
	next := shell("a", "exit 4")
	next.Attempt = 2
	start(t, m, next)
	require.EqualValues(t, 4, *ended(t, m, next.Run).Exit.Code)
}

// What a lost run has left is killed if it is this run's for certain.
func TestLostRunsNumberIsAStrangers(t *testing.T) {
	t.Parallel()
	mine, err := unix.Getsid(0)
	require.NoError(t, err)
	for name, test := range map[string]struct {
		lie    func(*started)
		harmed bool
	}{
		"another start":   {lie: func(s *started) { s.Identity.Start += "1" }},
		"another boot":    {lie: func(s *started) { s.Identity.Boot = "another" }},
		"another session": {lie: func(s *started) { s.Session = mine + 1 }},
		"the same":        {lie: func(*started) {}, harmed: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, dir := open(t)
			end := ended(t, m, start(t, m, shell("a", ":")).Spec.Run)
			someone := newInnocent(t)
			lie(t, dir, "a", func(s *started) {
				s.Identity, s.Session = someone.is, mine
				test.lie(s)
			})
			require.NoError(t, os.Remove(filepath.Join(dir, "a", "exit")))
			require.Equal(t, machine.Lost, ended(t, m, end.Spec.Run).State)
			if err := someone.end(); test.harmed {
				require.Error(t, err)
			} else {
				require.NoError(t, err, "it was killed")
			}
		})
	}
}

// A group whose leader has gone has no process of its number: the session tells whose it is.
func TestLostRunsNumberIsNobodys(t *testing.T) {
	t.Parallel()
	mine, err := unix.Getsid(0)
	require.NoError(t, err)
	for name, test := range map[string]struct {
		lie  func(*started)
		said string
	}{
		"another session": {func(s *started) { s.Session++ }, "fine\n"},
		"another boot":    {func(s *started) { s.Identity.Boot = "another" }, "fine\n"},
		"the same":        {func(*started) {}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, dir := open(t)
			end := ended(t, m, start(t, m, shell("a", ":")).Spec.Run)
			who, ask := leaderless(t)
			lie(t, dir, "a", func(s *started) {
				s.Identity, s.Session = who, mine
				test.lie(s)
			})
			require.NoError(t, os.Remove(filepath.Join(dir, "a", "exit")))
			require.Equal(t, machine.Lost, ended(t, m, end.Spec.Run).State)
			require.Equal(t, test.said, ask())
		})
	}
}

// leaderless is the leader of a group, who has gone, and what the last one of the group says when asked.
func leaderless(t *testing.T) (leader machine.Identity, ask func() string) {
	t.Helper()
	c := exec.Command("sh", "-c", "exec 5<&0; (read x <&5; echo fine) & read x <&3")
	in, err := c.StdinPipe()
	require.NoError(t, err)
	out, told, err := os.Pipe()
	require.NoError(t, err)
	gate, ends, err := os.Pipe()
	require.NoError(t, err)
	c.Stdout, c.ExtraFiles = told, []*os.File{gate}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	require.NoError(t, c.Start())
	told.Close()
	gate.Close()
	leader, _, err = machine.Identify(c.Process.Pid)
	require.NoError(t, err)
	ends.Close()
	_, err = c.Process.Wait() // and not c.Wait, which closes what the last one reads
	require.NoError(t, err)
	return leader, func() string {
		in.Close()
		said, err := io.ReadAll(out)
		require.NoError(t, err)
		out.Close()
		return string(said)
	}
}
