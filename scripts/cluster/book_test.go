package main

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// The book's own server is started by a chapter, as the real ones are, and nothing of it may stay either.

// book starts a chapter on the book's own server, and waits for that.
func (m *machine) book() (*process, acquired) {
	m.t.Helper()
	p := m.start("book")
	return p, p.acquired()
}

func TestTheBooksServerEndsWithItsChapter(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end  func(t *testing.T, p *process)
		code int
	}{
		"at its end":  {func(_ *testing.T, p *process) { p.stdin.Close() }, 0},
		"with Ctrl-C": {func(_ *testing.T, p *process) { p.signal(syscall.SIGINT) }, 0},
		"by kill -9":  {func(t *testing.T, p *process) { kill(t, p.cmd.Process.Pid) }, -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := realMachine(t)
			p, a := m.book()
			assert.True(t, a.Private)
			require.NoError(t, syscall.Kill(a.Plane.Supervisor, 0), "it runs")
			assert.FileExists(t, a.Plane.Kubeconfig)
			c.end(t, p)
			code, said := p.wait()
			assert.Equal(t, c.code, code, said)
			m.nothingRuns()
			assert.NoDirExists(t, a.Plane.Dir)
		})
	}
}

// A server that is killed leaves its folder, with a key in it. Its chapter hears of it, and removes that.
func TestKillOfTheBooksServer(t *testing.T) {
	t.Parallel()
	m := realMachine(t)
	p, a := m.book()
	kill(t, a.Plane.Supervisor)
	_, said := p.wait()
	assert.Contains(t, said, "the chapter noticed: its process ended (signal: killed)")
	assert.NoDirExists(t, a.Plane.Dir)
}

// Where both were killed at once, the next one that starts sweeps.
func TestKillOfTheBooksServerAndItsChapter(t *testing.T) {
	t.Parallel()
	m := realMachine(t)
	p, a := m.book()
	require.NoError(t, syscall.Kill(p.cmd.Process.Pid, syscall.SIGSTOP)) // so that it does not see to it
	kill(t, a.Plane.Supervisor)
	kill(t, p.cmd.Process.Pid)
	p.wait()
	m.nothingRuns()
	require.DirExists(t, a.Plane.Dir)
	next, b := m.book()
	assert.NoDirExists(t, a.Plane.Dir)
	assert.NotEqual(t, a.Plane.Dir, b.Plane.Dir)
	next.end()
}

func TestTwoOfTheBooksServersAtOnce(t *testing.T) {
	t.Parallel()
	m := realMachine(t)
	first, second := m.start("book"), m.start("book")
	one, two := first.acquired(), second.acquired()
	assert.NotEqual(t, one.Plane.Server, two.Plane.Server)
	assert.NotEqual(t, one.Plane.Dir, two.Plane.Dir)
	first.end()
	require.NoError(t, syscall.Kill(two.Plane.Supervisor, 0), "the end of one is not the end of the other")
	second.end()
}

func TestTheBooksServerOnAFullDisk(t *testing.T) {
	t.Parallel()
	m := realMachine(t)
	// Room for the folders and the empty locks, and none for a page of a file.
	full := "mount -t tmpfs -o size=4k,mode=700 tmpfs " + m.dir + " && head -c 4096 /dev/zero > " + m.dir + "/full"
	p := m.inNamespace(t, "book", "-rm", full)
	code, said := p.wait()
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "start the book's API server: its process ended (exit status 1) and said: ")
	assert.Contains(t, said, "no space left on device")
	assert.Contains(t, said, "free some space in "+m.dir)
	assert.NotContains(t, said, "cannot", "what was begun is removed")
}

func TestTheBooksServerForAnotherUser(t *testing.T) {
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("this machine lacks a second user to be: that needs Linux and root")
	}
	m := realMachine(t)
	p, a := m.book()
	for _, dir := range []string{scratch, m.dir} {
		require.NoError(t, os.Chmod(dir, 0o755))
		defer os.Chmod(dir, 0o700)
	}
	aim := target{Processes: []int{a.Plane.Supervisor}}
	for _, name := range []string{"", plane.RunKubeconfig, plane.RunLock} {
		aim.Files = append(aim.Files, filepath.Join(a.Plane.Dir, name))
	}
	assert.Empty(t, m.try(t, aim, nobody))
	open := m.try(t, aim, os.Getuid())
	assert.Contains(t, open, "could open "+a.Plane.Kubeconfig, "the same attempts succeed for their owner")
	assert.Contains(t, open, "could send a signal to process")
	p.end()
}
