package faults

import (
	"context"
	"net"
	"sync"
)

// pipe is a listener that only this process can reach: each connection is a net.Pipe.
type pipe struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// newPipe makes a pipe.
func newPipe() *pipe {
	return &pipe{conns: make(chan net.Conn), closed: make(chan struct{})}
}

// dial connects to the listener; http.Transport calls it.
func (p *pipe) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.conns <- server:
		return client, nil
	case <-p.closed:
	case <-ctx.Done():
	}
	client.Close()
	server.Close()
	return nil, net.ErrClosed
}

// Accept waits for a connection; http.Server calls it.
func (p *pipe) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close ends the listener.
func (p *pipe) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr is the name of a pipe, for what it is worth.
func (p *pipe) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "faults" }
