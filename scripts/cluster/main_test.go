package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/build"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"

	// a change of it is no cached result
	_ "github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/supervisor"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/supervisor/fakeservers"
)

// roleEnv makes a process that was started from this test binary a user of the control plane: "cluster" is the command
// of this package, "chapter" acquires a control plane as a chapter does and keeps it until its standard input ends,
// "book" does so with the book's own server, "stranger" is another user of this machine.
const roleEnv = "CLUSTER_TEST_ROLE"

// scratch is the folder of everything that these tests make. It is short, for there are sockets in it.
var scratch string

func TestMain(m *testing.M) {
	fakeservers.Main()
	switch os.Getenv(roleEnv) {
	case "cluster":
		main()
	case "chapter", "book":
		chapter(os.Getenv(roleEnv))
	case "stranger":
		stranger()
	}
	os.Exit(testMain(m))
}

func testMain(m *testing.M) int {
	var err error
	if scratch, err = os.MkdirTemp("/tmp", "cl"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(scratch)
	os.Unsetenv(local.SharedEnv)
	os.Setenv("TMPDIR", scratch)
	// A process under the race detector takes a second to end otherwise.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	// Built once and shown, so that no test waits for it in silence.
	if _, err := build.Ensure(context.Background(), term.NewDisplay(os.Stderr),
		plane.Components...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for _, program := range []string{"./scripts/supervisor", "./scripts/bookserver"} {
		if _, err := build.RunProgram(context.Background(), term.NewDisplay(os.Stderr), program); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	code := m.Run()
	if left, err := plane.ProcessesNaming(scratch); err != nil || len(left) > 0 {
		fmt.Fprintln(os.Stderr, "processes are left after the tests:", left, err)
		return 1
	}
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// chapter is what a chapter does with a control plane, without the chapter.
func chapter(role string) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var i *local.Instance
	var err error
	if show := term.NewDisplay(os.Stderr); role == "book" {
		i, err = local.Book(ctx, show)
	} else {
		i, err = local.Acquire(ctx, local.Options{Controllers: os.Getenv("CONTROLLERS") != "", Display: show})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	json.NewEncoder(os.Stdout).Encode(acquired{Plane: i.Plane, Private: i.Private})
	go func() {
		io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	select {
	case <-ctx.Done():
	case <-i.Failed():
		fmt.Fprintln(os.Stderr, "the chapter noticed:", i.Cause())
	}
	if err := i.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// acquired is what a chapter says of its control plane.
type acquired struct {
	Plane   plane.Plane
	Private bool
}

// machine is a user's machine: a folder for the state, one for the run directories, and the binaries.
type machine struct {
	t      *testing.T
	dir    string
	assets string
	env    []string
}

// newMachine returns a machine with stand-in servers, which start in a moment. When the test ends it must be clean.
func newMachine(t *testing.T) *machine {
	m := realMachine(t)
	m.assets = fakeservers.Assets(t)
	m.env = append(m.env, "KUBEBUILDER_ASSETS="+m.assets)
	return m
}

// realMachine returns a machine with the real servers.
func realMachine(t *testing.T) *machine {
	t.Helper()
	dir, err := os.MkdirTemp(scratch, "m")
	require.NoError(t, err)
	m := &machine{t: t, dir: dir}
	m.env = append(os.Environ(), "TMPDIR="+dir, plane.StateEnv+"="+m.state())
	t.Cleanup(func() {
		m.nothingRuns()
		runs, err := filepath.Glob(filepath.Join(dir, "cfs-*", "*", "*"))
		require.NoError(t, err)
		require.Empty(t, runs, "no run directory is left")
	})
	return m
}

func (m *machine) state() string { return filepath.Join(m.dir, "state") }

// nothingRuns fails the test unless every process of the machine ends, which after a kill -9 takes a moment.
func (m *machine) nothingRuns() {
	m.t.Helper()
	var left []plane.Process
	eventually(m.t, func() string { return fmt.Sprintf("the end of %v", left) }, func() bool {
		var err error
		left, err = plane.ProcessesNaming(m.dir)
		require.NoError(m.t, err)
		return len(left) == 0
	})
}

// process is a command that runs on a machine.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   *bufio.Reader
	said  output
	done  chan struct{}
}

// start starts the command cluster or a chapter.
func (m *machine) start(role string, args ...string) *process {
	m.t.Helper()
	return m.startCommand(role, exec.Command(os.Args[0], args...))
}

func (m *machine) startCommand(role string, cmd *exec.Cmd) *process {
	m.t.Helper()
	p := &process{t: m.t, cmd: cmd, done: make(chan struct{})}
	p.cmd.Env = append(m.env, roleEnv+"="+role)
	// A group of its own, as a shell would give it.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var err error
	p.stdin, err = p.cmd.StdinPipe()
	require.NoError(m.t, err)
	out, write := io.Pipe()
	p.out = bufio.NewReader(io.TeeReader(out, &p.said))
	p.cmd.Stdout, p.cmd.Stderr = write, &p.said
	require.NoError(m.t, p.cmd.Start())
	go func() {
		defer close(p.done)
		p.cmd.Wait()
		write.Close()
	}()
	return p
}

// cluster runs the command to its end and returns its exit code and everything it printed.
func (m *machine) cluster(args ...string) (code int, said string) {
	m.t.Helper()
	p := m.start("cluster", args...)
	return p.wait()
}

// up runs `cluster up`, which must succeed.
func (m *machine) up() *plane.Plane {
	m.t.Helper()
	code, said := m.cluster("up")
	require.Zero(m.t, code, said)
	up, err := plane.Read(m.state())
	require.NoError(m.t, err)
	return up
}

// down runs `cluster down`, which must succeed and leave nothing.
func (m *machine) down() string {
	m.t.Helper()
	code, said := m.cluster("down")
	require.Zero(m.t, code, said)
	m.nothingRuns()
	return said
}

// status runs `cluster status`. Its exit code says whether there is something that can't be used.
func (m *machine) status() string {
	m.t.Helper()
	code, said := m.cluster("status")
	fine := strings.Contains(said, "The control plane runs") ||
		strings.Contains(said, "No control plane of `make up` runs")
	require.Equal(m.t, fine, code == 0, "exit code %d: %s", code, said)
	return said
}

// chapter starts a chapter and waits until it has a control plane.
func (m *machine) chapter() (*process, acquired) {
	m.t.Helper()
	p := m.start("chapter")
	return p, p.acquired()
}

// acquired waits for a chapter's control plane.
func (p *process) acquired() acquired {
	p.t.Helper()
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		p.wait()
		p.t.Fatalf("the chapter got no control plane: %s", p.said.String())
	}
	var a acquired
	require.NoError(p.t, json.Unmarshal(line, &a))
	return a
}

// end lets a chapter end, which must succeed.
func (p *process) end() string {
	p.t.Helper()
	p.stdin.Close()
	code, said := p.wait()
	require.Zero(p.t, code, said)
	return said
}

// wait waits for the end of the process.
func (p *process) wait() (code int, said string) {
	p.t.Helper()
	read := make(chan struct{})
	go func() {
		defer close(read)
		io.Copy(io.Discard, p.out)
	}()
	select {
	case <-p.done:
	case <-time.After(2 * time.Minute):
		p.cmd.Process.Kill()
		p.t.Errorf("%v does not end; it said %s", p.cmd.Args, p.said.String())
		<-p.done
	}
	<-read
	return p.cmd.ProcessState.ExitCode(), p.said.String()
}

func (p *process) signal(s syscall.Signal) {
	p.t.Helper()
	require.NoError(p.t, syscall.Kill(-p.cmd.Process.Pid, s), "as the terminal does it: to the whole group")
}

// output collects what a process prints on both of its outputs.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// servers asks the supervisor of a control plane for its servers' process ids.
func servers(t *testing.T, of *plane.Plane) map[plane.Component]int {
	t.Helper()
	conn, err := net.Dial("unix", filepath.Join(of.Dir, plane.RunControl))
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, json.NewEncoder(conn).Encode(plane.Request{Op: plane.OpStatus}))
	var reply plane.Reply
	require.NoError(t, json.NewDecoder(conn).Decode(&reply))
	return reply.Processes
}

// kill is kill -9.
func kill(t *testing.T, pid int) {
	t.Helper()
	require.NotZero(t, pid)
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
}

// eventually waits until something outside this process is so.
func eventually(t *testing.T, what func() string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(time.Minute)
	for !done() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited a minute for %s", what())
		}
	}
}

// appears waits for a file that another process makes.
func appears(t *testing.T, path string) {
	t.Helper()
	eventually(t, func() string { return path }, func() bool {
		_, err := os.Stat(path)
		return err == nil
	})
}

// fits fails the test when a line is too long for a terminal of 100 columns; a path can't be made shorter.
func fits(t *testing.T, said string) {
	t.Helper()
	for _, line := range strings.Split(said, "\n") {
		if len([]rune(line)) > 100 && !strings.Contains(line, "/") {
			t.Errorf("a line has more than 100 columns: %q", line)
		}
	}
}
