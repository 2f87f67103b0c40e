package supervisor

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/supervisor/fakeservers"
)

// base is the folder of this test's run directories. It is short, for there are sockets in them.
var base string

func TestMain(m *testing.M) {
	AsLeash()
	// A process under the race detector takes a second to end otherwise; servers and leashes inherit this.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	fakeservers.Main()
	os.Exit(testMain(m))
}

func testMain(m *testing.M) int {
	scratch, err := os.MkdirTemp("/tmp", "sv")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(scratch)
	os.Setenv("TMPDIR", scratch) // the folder of run directories is looked for there
	base = filepath.Join(scratch, fmt.Sprintf("cfs-%d", os.Getuid()))
	if err := os.Mkdir(base, 0o700); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	if left, err := plane.ProcessesNaming(base); err != nil || len(left) > 0 {
		fmt.Fprintln(os.Stderr, "processes are left after the tests:", left, err)
		return 1
	}
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// run is a supervisor that runs in this process.
type run struct {
	t      *testing.T
	dir    string
	leash  *io.PipeWriter
	cancel context.CancelFunc
	ready  chan plane.Plane
	ended  chan struct{}
	err    error
	events []plane.Event
}

// start runs a supervisor on the servers in assets. It is stopped, and has left nothing, when the test ends.
func start(t *testing.T, assets string, change func(*Config)) *run {
	t.Helper()
	name := filepath.Join(base, rand.Text()[:8])
	ctx, cancel := context.WithCancel(context.Background())
	stdin, leash := io.Pipe()
	events, stdout := io.Pipe()
	r := &run{t: t, dir: name, leash: leash, cancel: cancel, ready: make(chan plane.Plane, 1),
		ended: make(chan struct{})}
	config := Config{Run: name, Assets: assets, Leash: stdin, Events: stdout}
	if change != nil {
		change(&config)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		for lines := json.NewDecoder(events); ; {
			var e plane.Event
			if lines.Decode(&e) != nil {
				return
			}
			r.events = append(r.events, e)
			if e.Ready != nil {
				r.ready <- *e.Ready
			}
		}
	}()
	go func() {
		defer close(r.ended)
		r.err = Run(ctx, config)
		stdin.Close()
		stdout.Close()
		<-read
	}()
	t.Cleanup(func() {
		leash.Close()
		r.wait()
		cancel()
		require.NoDirExists(t, r.dir)
		left, err := plane.ProcessesNaming(r.dir)
		require.NoError(t, err)
		require.Empty(t, left, "no process is left")
	})
	return r
}

// plane waits until the servers answer.
func (r *run) plane() plane.Plane {
	r.t.Helper()
	select {
	case p := <-r.ready:
		return p
	case <-r.ended:
		r.t.Fatalf("the supervisor ended before it was ready: %v", r.err)
	case <-time.After(time.Minute):
		r.t.Fatal("the supervisor is not ready after a minute")
	}
	panic("unreachable")
}

// wait waits until the supervisor has ended and returns its error.
func (r *run) wait() error {
	r.t.Helper()
	select {
	case <-r.ended:
	case <-time.After(time.Minute):
		r.t.Fatal("the supervisor has not ended after a minute")
	}
	return r.err
}

// process returns the process id of a server.
func (r *run) process(name plane.Component) int {
	r.t.Helper()
	reply := r.ask(plane.Request{Op: plane.OpStatus})
	require.NotZero(r.t, reply.Processes[name], "%s runs", name)
	return reply.Processes[name]
}

func (r *run) ask(request plane.Request) plane.Reply {
	r.t.Helper()
	conn := r.dial()
	defer conn.Close()
	require.NoError(r.t, json.NewEncoder(conn).Encode(request))
	var reply plane.Reply
	require.NoError(r.t, json.NewDecoder(conn).Decode(&reply))
	return reply
}

// eventually waits for a file that another process makes.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	deadline := time.After(time.Minute)
	for tick := time.NewTicker(5 * time.Millisecond); ; {
		if done() {
			tick.Stop()
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited a minute for: %s", what)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
