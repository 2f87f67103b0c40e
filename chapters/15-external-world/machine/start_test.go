package machine_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

func TestStartErrors(t *testing.T) {
	t.Parallel()
	m, _ := open(t)
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), mode))
		return path
	}
	for uid, test := range map[types.UID]struct {
		command   string
		args, env []string
		says      string
	}{
		"name":        {command: "no-such-program", says: "not found in $PATH"},
		"path":        {command: filepath.Join(dir, "none"), says: "no such file or directory"},
		"x":           {command: file("x", "#!/bin/sh\n", 0o600), says: "permission denied"},
		"folder":      {command: dir, says: "permission denied"},
		"format":      {command: file("format", "echo hi\n", 0o700), says: "with #! in its first line"},
		"interpreter": {command: file("interpreter", "#!/no/such\n", 0o700), says: "program of its first line"},
		"long":        {command: "sh", args: []string{strings.Repeat("x", 1<<20)}, says: "argument list too long"},
		"nul":         {command: "sh", env: []string{"A=b\x00c"}, says: "NUL"},
	} {
		t.Run(string(uid), func(t *testing.T) {
			t.Parallel()
			s := shell(uid, "")
			s.Command, s.Args, s.Env = test.command, test.args, test.env
			var refused *machine.StartError
			require.ErrorAs(t, m.Start(soon(t), s), &refused)
			assert.False(t, refused.Retry)
			seen, err := m.Look(uid)
			require.NoError(t, err)
			assert.Equal(t, machine.Ended, seen.State)
			assert.Nil(t, seen.Exit.Code)
			assert.Equal(t, seen.Exit.Error, refused.Error())
			assert.Contains(t, refused.Error(), test.says)
			assert.Contains(t, refused.Error(), test.command)
		})
	}
}

// A program that is being written can't be started, until it has been written.
func TestStartErrorThatPasses(t *testing.T) {
	t.Parallel()
	m, _ := open(t)
	text, err := os.ReadFile("/bin/true")
	if err != nil {
		t.Skip("no /bin/true to copy")
	}
	s := shell("a", "")
	s.Command, s.Args = filepath.Join(t.TempDir(), "program"), nil
	file, err := os.OpenFile(s.Command, os.O_CREATE|os.O_WRONLY, 0o700)
	require.NoError(t, err)
	_, err = file.Write(text)
	require.NoError(t, err)
	var busy *machine.StartError
	err = m.Start(soon(t), s)
	file.Close()
	if err == nil {
		t.Skip("this system starts a program that is being written")
	}
	require.ErrorAs(t, err, &busy)
	require.True(t, busy.Retry, "%v", busy)
	seen, err := m.Look("a")
	require.NoError(t, err)
	require.Equal(t, machine.Nothing, seen.State, "a later controller tries it again")
	start(t, m, s)
	require.EqualValues(t, 0, *ended(t, m, s.Run).Exit.Code)
}

func TestMost(t *testing.T) {
	t.Parallel()
	m, _ := open(t, func(o *machine.Options) { o.Most = 2 })
	exit := newLine(t)
	start(t, m, shell("a", "read x <$1", exit.path))
	start(t, m, shell("b", "read x <$1", newLine(t).path))
	var full *machine.StartError
	require.ErrorAs(t, m.Start(soon(t), shell("c", ":")), &full)
	require.True(t, full.Retry)
	seen, err := m.Look("c")
	require.NoError(t, err)
	require.Equal(t, machine.Nothing, seen.State)
	exit.say(t)
	ended(t, m, machine.Run{UID: "a", Attempt: 1})
	require.Eventually(t, func() bool { return m.Start(soon(t), shell("c", ":")) == nil }, wait, tick)
	ended(t, m, machine.Run{UID: "c", Attempt: 1})
}

func TestCommandsAndEnvironment(t *testing.T) {
	t.Setenv("KUBECONFIG", "/secret")
	t.Setenv("TOKEN", "secret")
	t.Setenv("LANG", "C")
	t.Setenv("TMPDIR", t.TempDir())
	path, err := exec.LookPath("env")
	require.NoError(t, err)
	m, _ := open(t, func(o *machine.Options) { o.Commands = []string{"env"} })
	var refused *machine.StartError
	require.ErrorAs(t, m.Start(soon(t), shell("a", "env")), &refused)
	require.False(t, refused.Retry)
	require.ErrorContains(t, refused, `"sh"`)
	seen, err := m.Look("a")
	require.NoError(t, err)
	require.Equal(t, refused.Error(), seen.Exit.Error)

	s := shell("b", "")
	s.Command, s.Args, s.Env = "env", nil, []string{"MINE=1", "LANG=D"}
	start(t, m, s)
	ended(t, m, s.Run)
	log, err := m.Log("b")
	require.NoError(t, err)
	for line := range strings.Lines(log) {
		name, _, _ := strings.Cut(line, "=")
		require.Contains(t, []string{"PATH", "HOME", "LANG", "TMPDIR", "MINE"}, name)
	}
	require.Contains(t, log, "MINE=1\n")
	require.Contains(t, log, "LANG=D\n")

	t.Setenv("PATH", "")
	t.Setenv("HOME", "")
	for _, name := range []string{"PATH", "HOME", "LANG", "TMPDIR"} {
		require.NoError(t, os.Unsetenv(name)) // until t.Setenv's cleanup
	}
	none, _ := open(t)
	s.UID, s.Command, s.Env = "c", path, nil
	start(t, none, s)
	ended(t, none, s.Run)
	log, err = none.Log("c")
	require.NoError(t, err)
	require.Empty(t, log)
}

func TestSameRunStartsOnce(t *testing.T) {
	t.Parallel()
	m, dir := open(t)
	said, exit := newLine(t), newLine(t)
	s := shell("a", "echo up >$1; read x <$2", said.path, exit.path)
	next := s
	next.Attempt = 2
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			assert.NoError(t, over(t, dir).Start(soon(t), s))
			seen, err := m.Look("a")
			assert.NoError(t, err)
			assert.Equal(t, machine.Running, seen.State, "Start returns when it runs, whoever has started it")
			assert.ErrorIs(t, m.Start(soon(t), next), machine.ErrRuns)
		})
	}
	all.Wait()
	require.Equal(t, "up", said.hear(t))
	exit.say(t)
	ended(t, m, s.Run)
	require.NoError(t, m.Start(soon(t), s))
	seen, err := m.Look("a")
	require.NoError(t, err)
	require.Equal(t, machine.Ended, seen.State)
	require.NoError(t, m.Start(soon(t), next))
	require.Equal(t, "up", said.hear(t))
	require.ErrorIs(t, m.Start(soon(t), s), machine.ErrRuns)
	exit.say(t)
	ended(t, m, next.Run)
	require.ErrorIs(t, m.Start(soon(t), s), machine.ErrGone, "a controller that is late must not go back")
	said.nothing(t)
}

func TestTwoProgramsStartOne(t *testing.T) {
	t.Parallel()
	m, dir := open(t)
	said, exit := newLine(t), newLine(t)
	script := "echo up >" + said.path + "; read x <" + exit.path
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() { killed(t, dir, script) })
	}
	all.Wait()
	exit.say(t)
	ended(t, m, machine.Run{UID: "a", Attempt: 1})
	require.Equal(t, "up", said.hear(t))
	said.nothing(t)
}

// Wherever a starter is killed, the next one gets one process to run. Where it is shows in what it has made.
func TestStarterIsKilledAnywhere(t *testing.T) {
	t.Parallel()
	for _, made := range []string{"", "a", "a/lock", "a/alive.1", "a/starting.1", "a/exit.tmp", "a/spec", "a/started"} {
		m, dir := open(t)
		said, exit := newLine(t), newLine(t)
		script := "echo up >" + said.path + "; read x <" + exit.path
		c := play(t, "controller", "STATE="+dir, "SCRIPTS="+script)
		require.NoError(t, c.Start())
		require.Eventually(t, func() bool {
			_, err := os.Lstat(filepath.Join(dir, made))
			return err == nil
		}, wait, tick, made)
		require.NoError(t, c.Process.Kill())
		_ = c.Wait()
		seen, err := m.Look("a")
		require.NoError(t, err)
		require.Contains(t, []machine.State{machine.Nothing, machine.Starting, machine.Running}, seen.State)
		s := shell("a", script)
		require.Equal(t, machine.Running, start(t, m, s).State, "it was %s", seen.State)
		require.Equal(t, "up", said.hear(t))
		exit.say(t)
		require.Equal(t, machine.Ended, ended(t, m, s.Run).State)
		said.nothing(t)
	}
}

func TestStartEndsWithItsContext(t *testing.T) {
	t.Parallel()
	m, _ := open(t)
	ctx, cancel := context.WithCancel(soon(t))
	cancel()
	s := shell("a", "read x <$1", newLine(t).path)
	require.ErrorIs(t, m.Start(ctx, s), context.Canceled)
	require.Equal(t, machine.Running, start(t, m, s).State, "the shim goes on, and the next start waits for it")
	require.NoError(t, m.Signal(s.Run, syscall.SIGKILL))
	ended(t, m, s.Run)
}
