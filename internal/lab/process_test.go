package lab

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// roleEnv makes this test binary another program.
const roleEnv = "LAB_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleEnv) {
	case "go": // plays the go command: starts a run, and waits for it
		run := exec.Command(os.Args[0])
		run.Env = append(os.Environ(), roleEnv+"=run")
		run.Stdin, run.Stdout = os.Stdin, os.Stdout
		_ = run.Run()
	case "run": // says that it watches, and why it ended
		ctx, cancel := context.WithCancelCause(context.Background())
		defer watchParent(cancel)()
		fmt.Println("watching")
		told := make(chan struct{})
		go func() { defer close(told); _, _ = io.Copy(io.Discard, os.Stdin) }()
		select {
		case <-ctx.Done():
			fmt.Println(context.Cause(ctx))
		case <-told:
			fmt.Println("told to end")
		}
	case "limited": // has two seconds; answers a line with whether these are over
		limited, cancel := withLimit(context.Background(), 2*time.Second, errStepLimit)
		defer cancel()
		context.AfterFunc(limited, func() { fmt.Println("over") })
		fmt.Println("begun")
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			select {
			case <-limited.Done():
			case <-time.After(limitEvery): // what is over when the process goes on shows by now
				fmt.Println("going on")
			}
		}
	case "nohup": // ignores that its terminal is closed, as nohup has it
		signal.Ignore(syscall.SIGHUP)
		ctx, cancel := context.WithCancelCause(context.Background())
		defer onSignal(cancel)()
		if hangUp(ctx) == nil {
			fmt.Println("going on")
		}
	default:
		goleak.VerifyTestMain(m)
	}
}

// program starts this test binary in a role, and returns its output and how to write to it.
func program(t *testing.T, path, role string) (cmd *exec.Cmd, out *bufio.Scanner, in io.WriteCloser) {
	t.Helper()
	cmd = exec.Command(path)
	cmd.Env = append(os.Environ(), roleEnv+"="+role)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	in, err = cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd, bufio.NewScanner(stdout), in
}

// notUnderNohup skips a test about what ends a run that nohup keeps alive.
func notUnderNohup(t *testing.T) {
	t.Helper()
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("this machine runs the tests under nohup, and nohup keeps a run alive")
	}
}

func line(t *testing.T, out *bufio.Scanner) string {
	t.Helper()
	read := make(chan bool, 1)
	go func() { read <- out.Scan() }()
	select {
	case more := <-read:
		require.True(t, more, "the program ended: %v", out.Err())
	case <-time.After(30 * time.Second):
		t.Fatal("the program has said nothing for half a minute")
	}
	return out.Text()
}

// A `go run` that is killed leaves its program running. The program notices, and ends; the program of another parent
// goes on.
func TestTheGoCommandIsKilled(t *testing.T) {
	notUnderNohup(t)
	self, err := os.Executable()
	require.NoError(t, err)
	start := func(parent string) (*exec.Cmd, *bufio.Scanner, io.Closer) {
		path := filepath.Join(t.TempDir(), parent)
		require.NoError(t, os.Symlink(self, path))
		cmd, out, in := program(t, path, "go")
		require.Equal(t, "watching", line(t, out))
		return cmd, out, in
	}
	bash, bashSays, bashEnds := start("bash")
	goCommand, goSays, _ := start("go")
	require.NoError(t, bash.Process.Kill())
	require.NoError(t, goCommand.Process.Kill())
	require.Equal(t, errParentGone.Error(), line(t, goSays))
	require.NoError(t, bashEnds.Close())
	require.Equal(t, "told to end", line(t, bashSays))
}

// The time in which a step's process is stopped does not count: Ctrl-Z, and later fg.
func TestAStoppedStepHasNotHung(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	stopped, out, in := program(t, self, "limited")
	require.Equal(t, "begun", line(t, out))
	require.NoError(t, stopped.Process.Signal(syscall.SIGSTOP))
	_, other, _ := program(t, self, "limited")
	require.Equal(t, "begun", line(t, other))
	require.Equal(t, "over", line(t, other), "two seconds later")
	require.NoError(t, stopped.Process.Signal(syscall.SIGCONT))
	fmt.Fprintln(in)
	require.Equal(t, "going on", line(t, out))
	require.Equal(t, "over", line(t, out), "and the limit holds for the time in which it runs")
}

// hangUp sends this process what it gets when its terminal is closed, and returns why ctx ended, nil if it did not.
func hangUp(ctx context.Context) error {
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(time.Second):
		return nil
	}
}

// A terminal that is closed ends a run as Ctrl-C does: it cleans up. Under nohup the run goes on.
func TestTheTerminalIsClosed(t *testing.T) {
	notUnderNohup(t)
	a := newAPI(t)
	code, out := run(t, func(ctx context.Context, _ *Lab) error {
		if err := hangUp(ctx); err == nil {
			return errors.New("the run went on")
		}
		return context.Cause(ctx)
	})
	require.Equal(t, exitInterrupted, code, out)
	require.Zero(t, a.left())

	self, err := os.Executable()
	require.NoError(t, err)
	// a process that has once ignored a signal passes that on to all that it starts
	_, nohup, _ := program(t, self, "nohup")
	require.Equal(t, "going on", line(t, nohup))
}
