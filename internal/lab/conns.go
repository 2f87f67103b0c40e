package lab

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// conns are the connections that a run's clients opened. http.Transport.CloseIdleConnections leaves those whose last
// stream is just about to end, which then stay with their goroutines: the end of the run closes them all.
type conns struct {
	dialer net.Dialer

	mu     sync.Mutex
	open   map[net.Conn]struct{}
	closed bool
}

func newConns() *conns {
	return &conns{dialer: net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second},
		open: map[net.Conn]struct{}{}}
}

func (c *conns) dial(ctx context.Context, network, address string) (net.Conn, error) {
	raw, err := c.dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	conn := &conn{Conn: raw, of: c}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, errors.Join(net.ErrClosed, raw.Close())
	}
	c.open[conn] = struct{}{}
	return conn, nil
}

func (c *conns) closeAll() {
	c.mu.Lock()
	open := c.open
	c.open, c.closed = map[net.Conn]struct{}{}, true
	c.mu.Unlock()
	for conn := range open {
		_ = conn.Close()
	}
}

// conn forgets itself when it is closed.
type conn struct {
	net.Conn
	of *conns
}

func (c *conn) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}
