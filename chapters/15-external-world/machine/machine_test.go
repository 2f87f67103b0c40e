package machine_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

func init() { roles["controller"] = func() { controller(nil) } }

// controller is a program that starts scripts, says so, and waits to be killed: each line of the variable is one.
func controller(leash *os.File) {
	m, err := machine.New(os.Getenv("STATE"), machine.Options{Leash: leash})
	for i, script := range strings.Split(os.Getenv("SCRIPTS"), "\n") {
		if err == nil {
			err = m.Start(context.Background(), shell(uid(i), script))
		}
	}
	if err != nil {
		panic(err)
	}
	_, _ = os.Stdout.WriteString("up\n")
	select {}
}

// uid is the one of a controller's script.
func uid(i int) types.UID { return types.UID(rune('a' + i)) }

// killed plays a controller that starts scripts and is killed.
func killed(t *testing.T, dir string, scripts ...string) {
	t.Helper()
	control(t, "controller", dir, scripts...)()
}

// control plays a controller that has started scripts, until it is killed.
func control(t *testing.T, role, dir string, scripts ...string) (kill func()) {
	t.Helper()
	c := play(t, role, "STATE="+dir, "SCRIPTS="+strings.Join(scripts, "\n"))
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	_, err = out.Read(make([]byte, 3))
	require.NoError(t, err, "the controller has not come up")
	return func() {
		require.NoError(t, c.Process.Kill())
		require.Error(t, c.Wait())
	}
}

func TestProcessesOutliveTheirController(t *testing.T) {
	t.Parallel()
	m, dir := open(t)
	exits, up := newLine(t), newLine(t)
	killed(t, dir,
		"read x <"+exits.path+"; exit 3",
		"read x <"+newLine(t).path,
		"read x <"+newLine(t).path,
		"trap '' TERM; echo up >"+up.path+"; read x <"+newLine(t).path)
	all, err := m.List()
	require.NoError(t, err)
	require.Len(t, all, 4)
	for _, seen := range all {
		require.Equal(t, machine.Running, seen.State, seen.Spec.UID)
		now, alive, err := machine.Identify(seen.Identity.PID)
		require.NoError(t, err)
		require.True(t, alive)
		require.Equal(t, now, seen.Identity)
		require.Equal(t, shell(seen.Spec.UID, seen.Spec.Args[1]), seen.Spec, "what a later controller has to know")
	}
	exits.say(t)
	require.NoError(t, m.Signal(all[1].Spec.Run, syscall.SIGTERM))
	require.NoError(t, m.Signal(all[2].Spec.Run, syscall.SIGKILL))
	require.Equal(t, "up", up.hear(t))
	require.NoError(t, m.Signal(all[3].Spec.Run, syscall.SIGTERM))
	for i, want := range []struct {
		code   int
		signal string
	}{{3, ""}, {143, "SIGTERM"}, {137, "SIGKILL"}} {
		end := ended(t, m, all[i].Spec.Run)
		assert.Equal(t, machine.Ended, end.State)
		assert.EqualValues(t, want.code, *end.Exit.Code)
		assert.Equal(t, want.signal, end.Exit.Signal)
		assert.Equal(t, all[i].Identity, end.Identity)
	}
	seen, err := m.Look(all[3].Spec.UID)
	require.NoError(t, err)
	require.Equal(t, machine.Running, seen.State, "it ignores SIGTERM")
	require.NoError(t, m.Signal(seen.Spec.Run, syscall.SIGKILL))
	require.EqualValues(t, 137, *ended(t, m, seen.Spec.Run).Exit.Code)
}

func TestExitIsLearnedWhileNoControllerLives(t *testing.T) {
	t.Parallel()
	m, dir := open(t)
	up := newLine(t)
	killed(t, dir, "exec 9>"+up.path+"; echo up >&9; exit 3")
	require.Equal(t, "up", up.hear(t))
	up.hangUp(t)
	end := ended(t, m, machine.Run{UID: "a", Attempt: 1})
	require.EqualValues(t, 3, *end.Exit.Code)
	require.False(t, end.Exit.At.Before(end.StartedAt))
}

func TestGroupEndsWithItsLeaderAndLeavesNoZombie(t *testing.T) {
	t.Parallel()
	m, _ := open(t)
	up, exit := newLine(t), newLine(t)
	// A grandchild that holds the output open, ignores what it can, and has lost its parent.
	seen := start(t, m, shell("a", `exec 9>$1; (sh -c 'trap "" TERM HUP; echo up >&9; while :; do sleep 60; done' &)
		read x <$2; echo last; exit 3`, up.path, exit.path))
	require.Equal(t, "up", up.hear(t))
	exit.say(t)
	require.EqualValues(t, 3, *ended(t, m, seen.Spec.Run).Exit.Code)
	left, err := machine.InGroup(seen.Identity.PID)
	require.NoError(t, err)
	if runtime.GOOS == "linux" { // elsewhere process 1 fetches exit codes, in its own time
		require.Zero(t, left, "a process, or a zombie, is left in the group")
	}
	up.hangUp(t)
	log, err := m.Log("a")
	require.NoError(t, err)
	require.Equal(t, "last\n", log)
}

func TestWaitEndsWithItsContextAndWithItsRun(t *testing.T) {
	t.Parallel()
	m, _ := open(t)
	exit := newLine(t)
	seen := start(t, m, shell("a", "read x <$1", exit.path))
	ctx, cancel := context.WithCancel(soon(t))
	waited := make(chan error)
	go func() {
		_, err := m.Wait(ctx, seen.Spec.Run)
		waited <- err
	}()
	cancel()
	require.ErrorIs(t, <-waited, context.Canceled)
	_, err := m.Wait(soon(t), machine.Run{UID: "a", Attempt: 2})
	require.ErrorIs(t, err, machine.ErrGone)
	_, err = m.Wait(soon(t), machine.Run{UID: "b", Attempt: 1})
	require.ErrorIs(t, err, machine.ErrGone)

	// The next run begins at once, and who waited for the first one hears all the same.
	for attempt := 1; attempt < 6; attempt++ {
		first := machine.Run{UID: "a", Attempt: attempt}
		go func() {
			_, err := m.Wait(soon(t), first)
			waited <- err
		}()
		exit.say(t)
		ended(t, m, first)
		next := shell("a", "read x <$1", exit.path)
		next.Attempt = attempt + 1
		start(t, m, next)
		if err := <-waited; err != nil {
			require.ErrorIs(t, err, machine.ErrGone)
		}
	}
}

func TestForget(t *testing.T) {
	t.Parallel()
	m, dir := open(t)
	exit := newLine(t)
	seen := start(t, m, shell("a", "read x <$1", exit.path))
	other := start(t, m, shell("b", ":"))
	require.ErrorIs(t, m.Forget("a"), machine.ErrRuns)
	exit.say(t)
	ended(t, m, seen.Spec.Run)
	require.NoError(t, m.Forget("a"))
	require.NoError(t, m.Forget("a"), "nobody knows it")
	require.NoDirExists(t, filepath.Join(dir, "a"))
	ended(t, m, other.Spec.Run)

	elsewhere := t.TempDir()
	precious := filepath.Join(elsewhere, "spec")
	require.NoError(t, os.WriteFile(precious, []byte(`{"UID":"c","Attempt":1}`), 0o600))
	require.NoError(t, os.Symlink(elsewhere, filepath.Join(dir, "c")))
	require.Error(t, m.Forget("c"), "a symlink leads to somebody else's folder")
	require.Error(t, m.Start(soon(t), shell("c", ":")))
	require.FileExists(t, precious)
	require.NoError(t, os.Remove(filepath.Join(dir, "c")))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

func TestFolderIsRefused(t *testing.T) {
	t.Parallel()
	m, dir := open(t)
	for _, uid := range []types.UID{"", ".", "..", "../a", "a/b", "/", ".gone", "a\x00b"} {
		var refused *machine.StartError
		require.ErrorAs(t, m.Start(soon(t), shell(uid, ":")), &refused, "%q", uid)
		require.False(t, refused.Retry)
		_, err := m.Look(uid)
		require.Error(t, err)
		require.Error(t, m.Forget(uid))
	}
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	require.NoError(t, os.Chmod(dir, 0o750))
	_, err = machine.New(dir, machine.Options{})
	require.ErrorContains(t, err, "0700")
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(t.TempDir(), link))
	_, err = machine.New(link, machine.Options{})
	require.Error(t, err)
}

func TestFilesAreForTheirOwnerAlone(t *testing.T) {
	t.Parallel()
	m, dir := open(t)
	made := filepath.Join(t.TempDir(), "made")
	ended(t, m, start(t, m, shell("a", "echo out; echo x >$1", made)).Spec.Run)
	files, err := filepath.Glob(filepath.Join(dir, "a", "*"))
	require.NoError(t, err)
	require.Greater(t, len(files), 4)
	for _, file := range append(files, made) {
		info, err := os.Stat(file)
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o177, "%s has %s", file, info.Mode())
	}
}

// A command gets neither the folder's lock nor the leash: with them it would hold them when its shim has ended.
func TestCommandGetsNoFiles(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("ls"); err != nil {
		t.Skip("no ls")
	}
	r, w, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { r.Close(); w.Close() })
	// What this program was started with, such as a pipe of a tool that waits for its end, is as good as this one.
	inherited, err := unix.FcntlInt(w.Fd(), unix.F_DUPFD, 20)
	require.NoError(t, err)
	t.Cleanup(func() { _ = unix.Close(inherited) })
	m, _ := open(t, func(o *machine.Options) { o.Leash = r })
	s := shell("a", "")
	s.Command, s.Args = "ls", []string{"/dev/fd/"}
	ended(t, m, start(t, m, s).Spec.Run)
	log, err := m.Log("a")
	require.NoError(t, err)
	require.Subset(t, []string{"0", "1", "2", "3"}, strings.Fields(log), "3 is the folder that ls reads")
}
