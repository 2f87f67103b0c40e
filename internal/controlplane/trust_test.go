package controlplane

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// newBase makes a folder of run directories, which until the end of the test is this user's own: TMPDIR names it. Its
// path is short enough for that.
func newBase(t *testing.T) string {
	t.Helper()
	temp := temporary(t)
	base := filepath.Join(temp, baseName())
	require.NoError(t, os.Mkdir(base, 0o700))
	t.Setenv("TMPDIR", temp)
	return base
}

// newRun makes a folder with something in it, and with a lock it is a run directory that a killed supervisor left.
func newRun(t *testing.T, run string, withLock bool) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Join(run, "data"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(run, "data", "work"), nil, 0o600))
	if withLock {
		require.NoError(t, os.WriteFile(filepath.Join(run, RunLock), nil, 0o600))
	}
	return run
}

// foreign are folders that a plane.json may name and that are no run directories of this user, by what they are.
func foreign(t *testing.T) map[string]string {
	base := newBase(t)
	open := newRun(t, filepath.Join(base, "open"), true)
	require.NoError(t, os.Chmod(open, 0o755))
	real := newRun(t, filepath.Join(t.TempDir(), "real"), true)
	link := filepath.Join(base, "link")
	require.NoError(t, os.Symlink(real, link))
	openBase := newBase(t)
	newRun(t, filepath.Join(openBase, "run"), true)
	require.NoError(t, os.Chmod(openBase, 0o755))
	linkedBase := filepath.Join(t.TempDir(), baseName())
	require.NoError(t, os.Symlink(filepath.Dir(newRun(t, filepath.Join(newBase(t), "run"), true)), linkedBase))
	linkedLock := newRun(t, filepath.Join(base, "lock-is-a-link"), false)
	require.NoError(t, os.Symlink("/dev/null", filepath.Join(linkedLock, RunLock)))
	return map[string]string{
		"somebody's documents":         newRun(t, filepath.Join(t.TempDir(), "documents"), false),
		"the same with a lock":         newRun(t, filepath.Join(t.TempDir(), "documents"), true),
		"a run without a lock":         newRun(t, filepath.Join(base, "halfmade"), false),
		"a lock that is a link":        linkedLock,
		"a run that others may enter":  open,
		"a link":                       link,
		"a base that others may enter": filepath.Join(openBase, "run"),
		"a base that is a link":        filepath.Join(linkedBase, "run"),
		"a path with dots":             newRun(t, filepath.Join(base, "run"), true) + "/../halfmade",
		"below a run":                  newRun(t, filepath.Join(base, "run", "data"), true),
	}
}

func TestNothingIsRemovedBecauseAFileNamesIt(t *testing.T) {
	for name, dir := range foreign(t) {
		t.Run(name, func(t *testing.T) {
			lab := t.TempDir()
			t.Setenv(StateEnv, lab)
			// that it lies elsewhere is not why it is refused
			t.Setenv("TMPDIR", filepath.Dir(filepath.Dir(filepath.Clean(dir))))
			require.ErrorIs(t, sweepRun(dir), errForeign)
			require.FileExists(t, filepath.Join(dir, "data", "work"))

			plane := &Plane{Dir: dir, Kubeconfig: filepath.Join(lab, RunKubeconfig), Lasting: lab,
				Supervisor: os.Getppid()}
			require.NoError(t, plane.WriteTo(lab))
			r, err := Status(t.Context())
			require.NoError(t, err)
			assert.Equal(t, Damaged, r.State)
			assert.Contains(t, r.Why, dir)
			assert.Contains(t, r.Why, errForeign.Error())
			_, err = Down(t.Context(), nil)
			require.NoError(t, err)
			require.FileExists(t, filepath.Join(dir, "data", "work"))
			plane.Failure = &Failure{Component: Etcd, Cause: "ended"} // of which no supervisor is asked
			require.NoError(t, plane.WriteTo(lab))
			_, err = Down(t.Context(), nil)
			require.NoError(t, err)
			require.FileExists(t, filepath.Join(dir, "data", "work"))
			_, err = ReadPlane(lab)
			assert.ErrorIs(t, err, fs.ErrNotExist, "only the file goes that named it")
		})
	}
}

func TestARunDirectoryOfOursIsRemoved(t *testing.T) {
	base := newBase(t)
	run := newRun(t, filepath.Join(base, "left"), true)
	lab := t.TempDir()
	t.Setenv(StateEnv, lab)
	require.NoError(t, (&Plane{Dir: run, Kubeconfig: filepath.Join(lab, RunKubeconfig), Lasting: lab}).WriteTo(lab))
	_, err := Down(t.Context(), nil)
	require.NoError(t, err)
	assert.NoDirExists(t, run)
}

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
	require.NoError(t, sweepRun(run))
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
	assert.False(t, p.runs(Etcd))
	p.Owner = os.Getuid()
	assert.False(t, Process{PID: os.Getpid(), Owner: os.Getuid(), Program: string(Etcd), first: "/no/etcd"}.runs(Etcd))
}

func TestAStateFolderThatHoldsSomebodysFiles(t *testing.T) {
	lab := t.TempDir()
	t.Setenv(StateEnv, lab)
	path := filepath.Join(lab, RunKubeconfig)
	require.NoError(t, os.WriteFile(path, []byte("current-context: production\n"), 0o600))
	r, err := Down(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, path, r.Kept)
	_, _, err = Up(t.Context(), UpOptions{})
	require.ErrorContains(t, err, "is no kubeconfig of this repository, so it is left alone")
	assert.FileExists(t, path)

	require.NoError(t, os.Chmod(lab, 0o777))
	_, err = Down(t.Context(), nil)
	require.ErrorContains(t, err, "everybody may write into "+lab)
}

func TestALinkAmongTheStateIsNotWrittenThrough(t *testing.T) {
	lab, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
	t.Setenv(StateEnv, lab)
	newBase(t)
	require.NoError(t, os.WriteFile(victim, []byte("kept"), 0o600))
	for _, name := range []string{"lock", planeFile, RunKubeconfig} {
		require.NoError(t, os.Symlink(victim, filepath.Join(lab, name)))
		Down(t.Context(), nil)
		require.NoError(t, os.RemoveAll(filepath.Join(lab, name)))
		data, err := os.ReadFile(victim)
		require.NoError(t, err)
		assert.Equal(t, "kept", string(data), name)
	}
	require.NoError(t, os.Symlink(victim, supervisorLog(lab)))
	_, err := launch("/bin/true", "", order{lasting: lab, show: Quiet()})
	require.NoError(t, err)
	data, err := os.ReadFile(victim)
	require.NoError(t, err)
	assert.Equal(t, "kept", string(data), "the supervisor's log")
}

func TestAFolderForTemporaryFilesThatOthersCouldReplace(t *testing.T) {
	dir := temporary(t)
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
	p, err := ReadPlane(lab)
	require.NoError(t, err)
	for _, text := range []string{string(p.Failure.Component), p.Failure.Cause, p.Failure.Log[0], p.Failure.LogFile} {
		assert.NotRegexp(t, "[\x00-\x1f]", text)
	}

	p.Failure.Log = make([]string, 1000)
	p.Failure.Cause = strings.Repeat("x", 100_000)
	require.NoError(t, p.WriteTo(lab))
	p, err = ReadPlane(lab)
	require.NoError(t, err)
	assert.Len(t, p.Failure.Log, maxLines, "a screen, not a thousand lines")
	assert.Len(t, p.Failure.Cause, maxSaid)
}

func TestTheControlPlaneOfAnotherUserStays(t *testing.T) {
	base := filepath.Join(t.TempDir(), fmt.Sprintf("cfs-%d", nobody))
	run := newRun(t, filepath.Join(base, "run"), true)
	if err := os.Lchown(base, nobody, nobody); err != nil {
		t.Skipf("this machine lacks a second user to be: %v", err)
	}
	lab := t.TempDir()
	t.Setenv(StateEnv, lab)
	require.NoError(t, (&Plane{Dir: run, Kubeconfig: filepath.Join(lab, RunKubeconfig)}).WriteTo(lab))
	_, err := Down(t.Context(), nil)
	require.ErrorContains(t, err, "describes a control plane that belongs to another user of this machine")
	_, err = ReadPlane(lab)
	require.NoError(t, err, "without the file that user's control plane would end")
}

func TestOddFilesOfTheStateAreNotRead(t *testing.T) {
	for name, plant := range map[string]func(path string) error{
		"a pipe":   mkfifo,
		"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"a device": func(path string) error { return os.Symlink("/dev/zero", path) },
		"a very long file": func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<40))
		},
	} {
		t.Run(name, func(t *testing.T) {
			lab := t.TempDir()
			t.Setenv(StateEnv, lab)
			require.NoError(t, plant(filepath.Join(lab, planeFile)))
			r, err := Status(t.Context())
			require.NoError(t, err)
			assert.Equal(t, Damaged, r.State)
			assert.Contains(t, r.Why, "it is no ordinary file")
			_, err = Down(t.Context(), nil)
			assert.NoError(t, err)
			require.NoError(t, plant(filepath.Join(lab, RunKubeconfig)))
			r, err = Down(t.Context(), nil)
			require.NoError(t, err)
			assert.Equal(t, filepath.Join(lab, RunKubeconfig), r.Kept)
		})
	}
}
