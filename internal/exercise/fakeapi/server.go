package fakeapi

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"sync"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/pipe"
)

// Host is the host name of every Server. It resolves nowhere: only the Server's own client gets there.
const Host = "api.test"

// idHeader carries a request's ordinal from the client side to the server side of the pipe. It is
// taken off before the request is recorded.
const idHeader = "Fakeapi-Id"

// Server plays a script to the requests that come through its Client. Make one with New.
type Server struct {
	// URL is the scheme and host that requests go to.
	URL string

	listener *pipe.Listener
	http     *http.Server
	tr       *http.Transport
	handlers sync.WaitGroup

	mu        sync.Mutex
	script    []*Answer
	otherwise func(Request) *Answer
	requests  []*exchange
	conns     map[net.Conn]http.ConnState
	numbers   map[net.Conn]int
	closed    bool
}

// New starts a Server that gives the answers in order, one for each request, and closes it when the
// test ends. A request beyond the script gets what Otherwise says, or else a 500 Status that says so.
func New(t testing.TB, script ...*Answer) *Server {
	t.Helper()
	s := &Server{
		URL:      "http://" + Host,
		listener: pipe.Listen(Host),
		script:   script,
		conns:    map[net.Conn]http.ConnState{},
		numbers:  map[net.Conn]int{},
	}
	s.tr = &http.Transport{DialContext: s.Dial, DisableCompression: true}
	s.http = &http.Server{
		Handler:   http.HandlerFunc(s.serve),
		ErrorLog:  log.New(io.Discard, "", 0),
		ConnState: s.connState,
		ConnContext: func(ctx context.Context,
			c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, c)
		},
	}
	s.handlers.Go(func() { _ = s.http.Serve(s.listener) })
	t.Cleanup(s.Close)
	return s
}

type connKey struct{}

// Answer appends answers to the script.
func (s *Server) Answer(answers ...*Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, answers...)
}

// Otherwise sets what answers the requests for which the script has no answer (left).
func (s *Server) Otherwise(f func(Request) *Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.otherwise = f
}

// Client returns a client whose every request goes to the Server. Each call returns a new one, on
// the same connections.
func (s *Server) Client() *http.Client {
	return &http.Client{Transport: &tracker{s: s}}
}

// Dial connects to the Server: for a transport of the caller's own. Bodies of responses that come
// through such a transport are not tracked.
func (s *Server) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	return s.listener.Dial(ctx, network, address)
}

// Close ends all conversations and connections, closes the bodies that were left open, and returns when every
// goroutine of the Server has ended. What was recorded can still be read.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	var left []*trackedBody
	for _, x := range s.requests {
		if x.body != nil {
			left = append(left, x.body)
		}
	}
	s.mu.Unlock()

	_ = s.http.Close()
	for _, b := range left {
		_ = b.ReadCloser.Close() // not through the tracker: the record keeps who did not close it
	}
	s.tr.CloseIdleConnections()
	s.handlers.Wait()
}

// serve is the server's side of one request.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		panic(http.ErrAbortHandler)
	}
	defer s.handlers.Done()

	body, _ := io.ReadAll(r.Body)
	x, answer := s.begin(r, body)
	ending := answer.play(w, r, func() {
		s.update(func() { x.rec.Sent++ })
	})
	s.update(func() {
		if s.closed && ending == ClientGone {
			ending = ServerClosed
		}
		x.rec.Ending = ending
	})
	if ending == WasCut {
		panic(http.ErrAbortHandler) // net/http's way to close a connection without the last chunk
	}
}

// enter counts a handler, unless the Server is closed and waits for the last of them.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.handlers.Add(1)
	return true
}

// begin records a request and takes its answer off the script.
func (s *Server) begin(r *http.Request, body []byte) (*exchange, *Answer) {
	id, _ := strconv.Atoi(r.Header.Get(idHeader))
	header := r.Header.Clone()
	header.Del(idHeader)

	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.exchange(id)
	x.rec.Arrived = true
	x.rec.Method, x.rec.Path, x.rec.Query = r.Method, r.URL.Path, r.URL.Query()
	x.rec.Header, x.rec.Body = header, body
	x.rec.Conn = s.numbers[r.Context().Value(connKey{}).(net.Conn)]

	if len(s.script) > 0 {
		answer := s.script[0]
		s.script = s.script[1:]
		return x, answer
	}
	x.rec.Unscripted = true
	if s.otherwise != nil {
		return x, s.otherwise(x.rec)
	}
	return x, Status(500, "InternalError", fmt.Sprintf("the script has no answer for request %d", x.rec.N))
}

// exchange returns the record with this ordinal, or makes the next one. s.mu is held.
func (s *Server) exchange(id int) *exchange {
	if id > 0 && id <= len(s.requests) {
		return s.requests[id-1]
	}
	x := &exchange{rec: Request{N: len(s.requests) + 1}}
	s.requests = append(s.requests, x)
	return x
}

// connState keeps what net/http says about each connection.
func (s *Server) connState(c net.Conn, state http.ConnState) {
	s.update(func() {
		switch state {
		case http.StateNew:
			s.numbers[c] = len(s.numbers) + 1
			s.conns[c] = state
		case http.StateClosed, http.StateHijacked:
			delete(s.conns, c)
		default:
			s.conns[c] = state
		}
	})
}

// update changes the record.
func (s *Server) update(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}
