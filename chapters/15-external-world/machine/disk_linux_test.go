package machine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

func init() { roles["disk"] = onSmallDisk }

// onSmallDisk is a controller on a disk of its own, which is small and nobody else sees. It says each finding in a
// line.
func onSmallDisk() {
	dir := os.Getenv("DISK")
	must := func(err error) {
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	must(unix.Mount("tmpfs", dir, "tmpfs", 0, "size=256k,mode=700"))
	m, err := machine.New(filepath.Join(dir, "state"), machine.Options{})
	must(err)
	ctx := context.Background()
	fifo := filepath.Join(dir, "exit")
	must(unix.Mkfifo(fifo, 0o600))
	before := shell("before", "head -c 50000 /dev/zero; read x <"+fifo+"; head -c 50000 /dev/zero; exit 3")
	must(m.Start(ctx, before))
	full := filepath.Join(dir, "full")
	_ = os.WriteFile(full, make([]byte, 1<<20), 0o600) // fails, and the disk is full
	err = m.Start(ctx, shell("after", ":"))
	var refused *machine.StartError
	fmt.Printf("while full: %T %v\n", err, err)
	if e, is := err.(*machine.StartError); is {
		refused = e
		fmt.Println("retry", refused.Retry)
	}
	seen, err := m.Look("after")
	fmt.Println("after", seen.State, err)
	must(os.WriteFile(fifo, []byte("go\n"), 0))
	seen, err = m.Wait(ctx, before.Run)
	must(err)
	fmt.Println("before", seen.State)
	if seen.Exit != nil {
		fmt.Println("code", *seen.Exit.Code)
	}
	must(os.Remove(full))
	must(m.Start(ctx, shell("after", ":")))
	seen, err = m.Wait(ctx, machine.Run{UID: "after", Attempt: 1})
	must(err)
	fmt.Println("then", seen.State)
}

func TestDiskIsFull(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := play(t, "disk", "DISK="+dir)
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}}
	out, err := c.Output()
	if err != nil && (os.IsPermission(err) || strings.Contains(string(out), "operation not permitted")) {
		t.Skip("no disk of its own: ", err, string(out))
	}
	require.NoError(t, err, "%s", out)
	for _, want := range []string{"while full: *machine.StartError", "retry true",
		"no space left on device: make room on the disk of " + dir,
		"after Nothing <nil>", "before Ended", "code 3", "then Ended"} {
		require.Contains(t, string(out), want)
	}
}

func init() {
	roles["limited"] = func() {
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 0, Max: 0}); err != nil {
			panic(err)
		}
		m, err := machine.New(os.Getenv("STATE"), machine.Options{})
		if err == nil {
			err = m.Start(context.Background(), shell("a", ":"))
		}
		e, is := err.(*machine.StartError)
		fmt.Println(is && e.Retry, err)
	}
}

// No file is empty, or half of one, whatever keeps it from being written.
func TestFilesAreWholeOrMissing(t *testing.T) {
	t.Parallel()
	m, dir := open(t)
	out, err := play(t, "limited", "STATE="+dir).Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "true ")
	require.Contains(t, string(out), "make room")
	for _, name := range []string{"spec", "started", "exit"} {
		require.NoFileExists(t, filepath.Join(dir, "a", name))
	}
	seen, err := m.Look("a")
	require.NoError(t, err)
	require.Equal(t, machine.Nothing, seen.State)
	require.EqualValues(t, 5, *ended(t, m, start(t, m, shell("a", "exit 5")).Spec.Run).Exit.Code)
}
