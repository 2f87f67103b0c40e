package supervisor

import (
	"encoding/json"
	"errors"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// child is one server from before its start to its end, seen through its leash.
type child struct {
	name plane.Component
	path string // the program its leash is to run

	mu       sync.Mutex
	orders   *json.Encoder // to the leash, nil before it announced itself
	leash    int           // the leash's process id, which is also the group's
	pid      int           // the server's, 0 before it runs
	starting bool          // an end is reported to the one who starts it, not as a failure
	stopping bool          // an end is what we asked for
	status   string
	began    chan struct{} // closed when the server's process is there
	ended    chan struct{} // closed when the server is gone, and its leash
}

// heldByDead is the status of a server that went with its leash.
const heldByDead = "the process that holds it was killed"

func newChild(name plane.Component, path string) *child {
	return &child{name: name, path: path, starting: true, began: make(chan struct{}), ended: make(chan struct{})}
}

// attach speaks with the leash until the server is gone. The supervisor calls it with a new connection and its first
// request.
func (c *child) attach(conn net.Conn, in *json.Decoder, hello plane.Request) {
	c.mu.Lock()
	if c.orders != nil || c.stopping || !isLeash(hello.PID) {
		c.mu.Unlock()
		return // closing the connection tells the leash to end
	}
	c.orders, c.leash = json.NewEncoder(conn), hello.PID
	c.orders.Encode(plane.Reply{Run: c.path})
	c.mu.Unlock()

	status := ""
	for {
		var r plane.Request
		if err := in.Decode(&r); err != nil {
			break // the leash is gone
		}
		switch r.Op {
		case plane.OpStarted:
			c.mu.Lock()
			c.pid = r.PID
			if c.stopping {
				c.orders.Encode(plane.Reply{Signal: "kill"})
			}
			c.mu.Unlock()
			close(c.began)
		case plane.OpExited:
			status = r.Status
		}
	}
	if status == "" {
		// The leash was killed. Its group has the same id and holds the server, unless that never ran.
		killGroup(hello.PID)
		status = heldByDead
	}
	c.mu.Lock()
	c.status, c.pid = status, 0
	c.mu.Unlock()
	close(c.ended)
}

// isLeash says whether a process that says that it is a leash can be one: our child, and the leader of a group. The
// group is killed later, and a wrong number would kill another: -1 is every process of the user.
func isLeash(pid int) bool {
	if pid <= 1 || parentOf(pid) != os.Getpid() {
		return false
	}
	group, err := syscall.Getpgid(pid)
	return err == nil && group == pid
}

// running ends the start: from now on an end is a failure.
func (c *child) running() error {
	select {
	case <-c.began:
	case <-c.ended:
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-c.ended:
		return errors.New(c.status)
	default:
		c.starting = false
		return nil
	}
}

// unexpected says that the child's end was neither asked for nor part of a failed start.
func (c *child) unexpected() (status string, yes bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.status, !c.starting && !c.stopping
}

// signal asks the leash to send "term" or "kill" to the server. The end that follows is expected.
func (c *child) signal(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopping = true
	if c.orders != nil {
		c.orders.Encode(plane.Reply{Signal: what})
	}
}

// Kill ends the server and waits until it is gone.
func (c *child) kill() {
	c.signal("kill")
	c.mu.Lock()
	attached := c.orders != nil
	c.mu.Unlock()
	if attached {
		<-c.ended
	}
}

// process returns the server's process id, 0 when it does not run.
func (c *child) process() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pid
}

// killGroup kills a process group and waits until its processes are gone. Where nobody collects the dead (a container
// without an init) they stay as zombies: it does not wait for these longer than a moment.
func killGroup(group int) {
	deadline := time.Now().Add(time.Second)
	for syscall.Kill(-group, syscall.SIGKILL) == nil && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
}
