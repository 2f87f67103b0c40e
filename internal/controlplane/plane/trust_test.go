package plane

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane/planetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sleeper starts a process of the program at path, which calls itself name and has run in its arguments. The function
// that it returns ends it, and fails the test when somebody else has done that before.
func sleeper(t *testing.T, path, name, run string) (process *os.Process, end func()) {
	t.Helper()
	cmd := exec.Command(path)
	cmd.Args = []string{name, "-test.run=^TestSleeper$", run + "/data"}
	cmd.Env = append(os.Environ(), "SLEEPER=yes")
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.ReadFull(stdout, make([]byte, 1))
	require.NoError(t, err)
	t.Cleanup(func() { stdin.Close() }) // also so that the pipe is not collected, which would end the process
	return cmd.Process, func() {
		stdin.Close()
		assert.NoError(t, cmd.Wait(), "%s has ended by itself", name)
	}
}

// TestSleeper is no test but the process that sleeper starts: it lives until its standard input ends.
func TestSleeper(t *testing.T) {
	if os.Getenv("SLEEPER") != "" {
		fmt.Print(".")
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}
}

func TestOnlyServersOfTheRunAreKilled(t *testing.T) {
	base := newBase(t)
	run := newRun(t, filepath.Join(base, "left"), true)
	self, err := os.Executable()
	require.NoError(t, err)
	etcd := filepath.Join(t.TempDir(), string(Etcd))
	require.NoError(t, os.Symlink(self, etcd))
	other := filepath.Join(t.TempDir(), "pager")
	require.NoError(t, os.Symlink(self, other))

	server, _ := sleeper(t, etcd, etcd, run)
	_, endReader := sleeper(t, other, other, run)
	_, endImpostor := sleeper(t, other, string(Etcd), run) // a first argument is only a word
	_, endNeighbour := sleeper(t, etcd, etcd, filepath.Join(base, "leftover"))
	require.NoError(t, SweepRun(run))
	assert.NoDirExists(t, run)
	state, err := server.Wait()
	require.NoError(t, err)
	assert.Equal(t, "signal: killed", state.String())
	endReader()
	endImpostor()
	endNeighbour()
}

func TestAnotherUsersProcessIsNoServer(t *testing.T) {
	p := Process{PID: os.Getpid(), Owner: os.Getuid() + 1, Program: string(Etcd), first: "/proc/self/exe"}
	assert.False(t, p.Runs(Etcd))
	p.Owner = os.Getuid()
	assert.False(t, Process{PID: os.Getpid(), Owner: os.Getuid(), Program: string(Etcd), first: "/no/etcd"}.Runs(Etcd))
}

func TestAFolderForTemporaryFilesThatOthersCouldReplace(t *testing.T) {
	dir := planetest.Temporary(t)
	require.NoError(t, os.Chmod(dir, 0o777))
	t.Setenv("TMPDIR", dir)
	_, err := RunBase()
	require.ErrorContains(t, err, "everybody may rename what is in ")
	require.ErrorContains(t, err, filepath.Base(dir))
	require.NoError(t, os.Chmod(dir, 0o777|fs.ModeSticky))
	_, err = RunBase()
	require.NoError(t, err)
}

func TestWhatAFileSaysIsPrintable(t *testing.T) {
	lab := t.TempDir()
	p := &Plane{Dir: "/x", Kubeconfig: "/y", Failure: &Failure{
		Component: "etcd\x1b]0;title\a", Cause: "\x1b[2J", Log: []string{"a\rb"}, LogFile: "/x\n", At: time.Now(),
	}}
	require.NoError(t, p.WriteTo(lab))
	p, err := Read(lab)
	require.NoError(t, err)
	for _, text := range []string{string(p.Failure.Component), p.Failure.Cause, p.Failure.Log[0], p.Failure.LogFile} {
		assert.NotRegexp(t, "[\x00-\x1f]", text)
	}

	p.Failure.Log = make([]string, 1000)
	p.Failure.Cause = strings.Repeat("x", 100_000)
	require.NoError(t, p.WriteTo(lab))
	p, err = Read(lab)
	require.NoError(t, err)
	assert.Len(t, p.Failure.Log, maxLines, "a screen, not a thousand lines")
	assert.Equal(t, maxSaid, utf8.RuneCountInString(p.Failure.Cause))
}
