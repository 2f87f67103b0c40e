package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// acceptPause is how long serve waits when it has no room for another connection.
const acceptPause = 100 * time.Millisecond

// serve answers the leashes and the clients that connect to the run directory's socket, until the socket is closed.
// That it has too many files open at the moment is no reason to be silent for good.
func (s *Supervisor) serve() {
	for {
		conn, err := s.socket.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil:
			time.Sleep(acceptPause)
			continue
		}
		s.conns.Go(func() {
			defer conn.Close()
			s.answer(conn)
		})
	}
}

// answer handles one connection.
func (s *Supervisor) answer(conn net.Conn) {
	in, out := json.NewDecoder(conn), json.NewEncoder(conn)
	var r plane.Request
	conn.SetReadDeadline(time.Now().Add(5 * time.Second)) // one who asks nothing must not keep us from ending
	if in.Decode(&r) != nil {
		return
	}
	conn.SetReadDeadline(time.Time{})
	s.mu.Lock()
	c := s.children[r.Server]
	s.mu.Unlock()
	switch {
	case c == nil:
	case r.Op == plane.OpLeash:
		c.attach(conn, in, r)
		return
	case r.Op == plane.OpHelp:
		out.Encode(plane.Reply{Run: c.path})
		return
	}
	reply, err := s.do(conn, r)
	if err != nil {
		reply = &plane.Reply{Error: err.Error()}
	}
	out.Encode(reply)
}

// do does what a client asks for. It ends early when the plane does.
func (s *Supervisor) do(conn net.Conn, r plane.Request) (*plane.Reply, error) {
	switch r.Op {
	case plane.OpStatus:
		if s.end.Err() != nil { // what is about to go does not run: whoever asks finds what is left of it
			<-s.stopped
			return nil, errors.New("it has just ended")
		}
	case plane.OpStop:
		s.endWith(errAsked)
		<-s.stopped
	case plane.OpFollow:
		if err := s.follow(conn); err != nil {
			return nil, err
		}
	case plane.OpRestart, plane.OpStopServer, plane.OpStartServer, plane.OpControllers:
		if err := s.change(r); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("the supervisor does not know the operation %q: it was built from another version; "+
			"stop it with `make down`", r.Op)
	}
	now := s.state()
	reply := &plane.Reply{Plane: &now, Processes: map[plane.Component]int{}}
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, c := range s.children {
		if pid := c.process(); pid != 0 {
			reply.Processes[name] = pid
		}
	}
	return reply, nil
}

// follow waits for the plane's end or the client's, whichever comes first. The first reply says that from now on it is
// followed.
func (s *Supervisor) follow(conn net.Conn) error {
	now := s.state()
	if err := json.NewEncoder(conn).Encode(plane.Reply{Plane: &now}); err != nil {
		return err
	}
	gone := make(chan struct{})
	s.conns.Go(func() {
		defer close(gone)
		conn.Read(make([]byte, 1))
	})
	select {
	case <-s.stopped:
		return nil
	case <-gone:
		return errors.New("the client has gone")
	}
}

// change restarts the API server or starts the controllers, one change at a time.
func (s *Supervisor) change(r plane.Request) error {
	s.serial.Lock()
	defer s.serial.Unlock()
	if s.state().Started.IsZero() {
		return errors.New("the control plane is still starting")
	}
	if s.end.Err() != nil {
		return context.Cause(s.end)
	}
	s.mu.Lock()
	api := s.children[plane.KubeAPIServer]
	s.mu.Unlock()
	switch r.Op {
	case plane.OpControllers:
		if s.state().Controllers {
			return nil
		}
		if err := s.startControllers(s.end, r.Assets); err != nil {
			return err
		}
		return s.publish()
	case plane.OpRestart:
		api.kill()
		return s.runAgain()
	case plane.OpStopServer:
		api.signal("term")
		select {
		case <-api.ended:
		case <-s.end.Done():
		}
		return nil
	default: // OpStartServer
		select {
		case <-api.ended:
			return s.runAgain()
		default:
			return errors.New("the API server runs already")
		}
	}
}

// runAgain starts the API server anew. A control plane whose API server does not come back is of no use.
func (s *Supervisor) runAgain() error {
	err := s.runAPIServer()
	if err != nil {
		s.endWith(err)
	}
	return err
}
