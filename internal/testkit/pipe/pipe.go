// Package pipe joins a server and its clients inside one process: net/http on both ends, and nothing on a port that
// another program could reach. It runs in a bubble of testing/synctest. A pipe has no buffer, so that a client that
// stops reading stops the server in the middle of its write.
package pipe

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
)

// Listener is a net.Listener whose connections are made by its own [Listener.Dial].
type Listener struct {
	name   string
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// Listen makes a listener. The name is its address, for error messages.
func Listen(name string) *Listener {
	return &Listener{name: name, conns: make(chan net.Conn), closed: make(chan struct{})}
}

// Dial connects to the listener, whatever the address: it is an http.Transport's DialContext. After Close it fails with
// net.ErrClosed.
func (l *Listener) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	var err error
	select {
	case l.conns <- server:
		return client, nil
	case <-l.closed:
		err = net.ErrClosed
	case <-ctx.Done():
		err = ctx.Err()
	}
	client.Close()
	server.Close()
	return nil, fmt.Errorf("dial %s: %w", l.name, err)
}

// Accept implements net.Listener.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener. It closes no connection.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr implements net.Listener.
func (l *Listener) Addr() net.Addr { return addr(l.name) }

type addr string

func (addr) Network() string  { return "pipe" }
func (a addr) String() string { return string(a) }

// Serve runs a handler, and returns a transport that leads to it and the function that ends both, with what is in
// flight.
func Serve(h http.Handler) (transport *http.Transport, stop func()) {
	listener := Listen("server")
	server := &http.Server{Handler: h}
	var running sync.WaitGroup
	running.Go(func() { _ = server.Serve(listener) }) // returns when stop closes the server
	transport = &http.Transport{DialContext: listener.Dial}
	return transport, func() {
		transport.CloseIdleConnections()
		_ = server.Close()
		running.Wait()
	}
}
