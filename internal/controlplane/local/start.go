package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/build"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// order is what a supervisor is started for.
type order struct {
	controllers bool
	lasting     string // state directory of a lasting p, else empty
	port        int
	flags       []string // more of the API server, each as "name=value"
	show        term.Display
}

// keeper is a program that keeps servers in a run directory, seen through its pipes: the supervisor of a control plane,
// or the book's own server.
type keeper struct {
	what  string // what it keeps: "the control plane"
	who   string // what it is to that: "its supervisor"
	run   string
	cmd   *exec.Cmd
	leash io.WriteCloser

	ready   chan *plane.Plane
	ended   chan struct{} // closed when the program has ended; failure and said are set then
	failure *plane.Failure
	said    tailBuffer
}

// stopTimeout is how long a supervisor may take to stop everything. It kills its servers, which takes milliseconds.
const stopTimeout = 20 * time.Second

// startPlane builds what is missing, starts a supervisor and waits until its servers answer.
func startPlane(ctx context.Context, o order) (*keeper, *plane.Plane, error) {
	if err := checkLasting(o.lasting); err != nil {
		return nil, nil, err
	}
	assets, program, err := prepare(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	args := []string{"-assets", assets, "-port", strconv.Itoa(o.port)}
	if o.controllers {
		args = append(args, "-controllers")
	}
	if o.lasting != "" {
		args = append(args, "-lasting", o.lasting)
	}
	for _, flag := range o.flags {
		args = append(args, "-server-flag", flag)
	}
	k, err := newKeeper(program, args...)
	if err != nil {
		return nil, nil, err
	}
	k.what, k.who = "the control plane", "its supervisor"
	p, err := k.start(ctx, o)
	return k, p, err
}

// prepare builds what a control plane needs, and returns the folder of the servers and the supervisor's program.
func prepare(ctx context.Context, o order) (assets, program string, err error) {
	need := servers
	if o.controllers {
		need = append(need[:len(need):len(need)], plane.KubeControllerManager)
	}
	if assets, err = build.Ensure(ctx, o.show, need...); err != nil {
		return "", "", err
	}
	program, err = build.RunProgram(ctx, o.show, "./scripts/supervisor")
	return assets, program, err
}

// newKeeper prepares a program that makes its servers a run directory.
func newKeeper(program string, args ...string) (*keeper, error) {
	run, err := plane.NewRunDir()
	if err != nil {
		return nil, err
	}
	return &keeper{run: run, cmd: exec.Command(program, append([]string{"-run", run}, args...)...),
		ready: make(chan *plane.Plane, 1), ended: make(chan struct{})}, nil
}

// start starts the program, and waits until its servers answer. After an error nothing of it is left.
func (k *keeper) start(ctx context.Context, o order) (*plane.Plane, error) {
	if err := k.launch(o); err != nil {
		return nil, err
	}
	p, err := k.await(ctx)
	if err != nil {
		return nil, errors.Join(err, k.stop())
	}
	return p, nil
}

// launch starts the program in a session of its own: Ctrl-C is for us, who end it by its leash when we have cleaned up.
func (k *keeper) launch(o order) (err error) {
	k.cmd.SysProcAttr = plane.Detached()
	k.cmd.Dir = "/" // it must not keep the folder we were started in from being unmounted
	if k.leash, err = k.cmd.StdinPipe(); err != nil {
		return err
	}
	events, err := k.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	k.cmd.Stderr = &k.said
	if o.lasting != "" {
		// A lasting supervisor outlives us, and a pipe to us with it would break.
		path := supervisorLog(o.lasting)
		// a link there must not be written through
		if err := plane.RemoveIfThere(path); err != nil {
			return fmt.Errorf("write the supervisor's log: %w", err)
		}
		log, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return fmt.Errorf("write the supervisor's log: %w", err)
		}
		defer log.Close()
		k.cmd.Stderr = log
	}
	if err := k.cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", k.what, err)
	}
	go k.follow(events, o.show)
	return nil
}

// follow reads what the program tells until it ends.
func (k *keeper) follow(events io.Reader, show term.Display) {
	defer close(k.ended)
	task := show.Begin("Starting " + k.what)
	finish := sync.OnceFunc(func() { task.End("") })
	lines := json.NewDecoder(events)
	for {
		var e plane.Event
		if lines.Decode(&e) != nil {
			break
		}
		switch {
		case e.Doing != "":
			task.Detail(e.Doing)
		case e.Ready != nil:
			finish()
			k.ready <- e.Ready
		case e.Failed != nil:
			k.failure = e.Failed
		}
	}
	finish()
	io.Copy(io.Discard, events)
	k.cmd.Wait()
}

// await waits for the servers, and for ctx.
func (k *keeper) await(ctx context.Context) (*plane.Plane, error) {
	select {
	case p := <-k.ready:
		return p, nil
	case <-k.ended:
		return nil, fmt.Errorf("start %s: %w", k.what, k.cause())
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// cause says why the program ended.
func (k *keeper) cause() error {
	if k.failure != nil {
		return k.failure
	}
	text := fmt.Sprintf("%s ended (%v)", k.who, k.cmd.ProcessState)
	if said := k.said.String(); said != "" {
		text += " and said: " + said
	}
	return errors.New(text)
}

// stop ends the program and its servers and waits until they are gone. One that does not end is killed: the leashes
// end its servers then.
func (k *keeper) stop() error {
	k.leash.Close()
	select {
	case <-k.ended:
	case <-time.After(stopTimeout):
		k.cmd.Process.Kill()
		<-k.ended
	}
	return plane.SweepRun(k.run)
}

// release lets the supervisor live on without us.
func (k *keeper) release() error {
	if _, err := io.WriteString(k.leash, plane.Detach+"\n"); err != nil {
		return fmt.Errorf("let the supervisor go: %w", err)
	}
	return k.leash.Close()
}

// tailBuffer keeps the last few kilobytes that are written to it.
type tailBuffer struct {
	mu   sync.Mutex
	data []byte
}

func (b *tailBuffer) Write(p []byte) (int, error) {
	const most = 4 << 10
	b.mu.Lock()
	defer b.mu.Unlock()
	b.data = append(b.data, p...)
	b.data = b.data[max(0, len(b.data)-most):]
	return len(p), nil
}

func (b *tailBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return string(b.data)
}
