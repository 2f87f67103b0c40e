package fakeapi

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"testing"
)

// pipeListener accepts the server's ends of the pipes whose client's ends dial returned.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
}

func (l *pipeListener) dial(ctx context.Context) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.closed:
		return nil, errors.New("dial " + Host + ": the scripted server is closed")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener.
func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr implements net.Listener.
func (l *pipeListener) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return Host }

// GuardDefault makes http.DefaultTransport, and so http.Get, http.DefaultClient and any http.Client
// without a Transport, fail at once for the rest of the test, without touching the network. The function that it returns
// counts the attempts: code that should use the client it was given, and does not, shows there.
func GuardDefault(t testing.TB) (attempts func() int) {
	var mu sync.Mutex
	count := 0
	before := http.DefaultTransport
	http.DefaultTransport = &http.Transport{
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			mu.Lock()
			defer mu.Unlock()
			count++
			return nil, errors.New("http.DefaultTransport has no way to the test's server")
		},
	}
	t.Cleanup(func() { http.DefaultTransport = before })
	return func() int {
		mu.Lock()
		defer mu.Unlock()
		return count
	}
}
