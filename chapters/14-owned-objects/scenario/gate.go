package scenario

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
)

// Gate is a transport whose watches of one resource can be late: what the API server sends is held, in its order, until
// somebody lets it through. Lists pass.
type Gate struct {
	next     http.RoundTripper
	resource string

	lock    sync.Mutex // guards the rest
	changed *sync.Cond
	closed  bool
	through int // events that are let through although it is closed
	held    int
}

// NewGate makes one that is open.
func NewGate(next http.RoundTripper, resource string) *Gate {
	g := &Gate{next: next, resource: resource}
	g.changed = sync.NewCond(&g.lock)
	return g
}

// Close holds what comes from now on.
func (g *Gate) Close() { g.change(func() { g.closed, g.through = true, 0 }) }

// Open lets everything through.
func (g *Gate) Open() { g.change(func() { g.closed = false }) }

// Step lets one event through, and the bookmarks before it.
func (g *Gate) Step() { g.change(func() { g.through++ }) }

// Held is how many events wait.
func (g *Gate) Held() int {
	g.lock.Lock()
	defer g.lock.Unlock()
	return g.held
}

func (g *Gate) change(do func()) {
	g.lock.Lock()
	defer g.lock.Unlock()
	do()
	g.changed.Broadcast()
}

// RoundTrip implements http.RoundTripper.
func (g *Gate) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := g.next.RoundTrip(r)
	if err != nil || r.URL.Query().Get("watch") == "" || !strings.HasSuffix(r.URL.Path, "/"+g.resource) {
		return response, err
	}
	response.Body = g.hold(response.Body)
	return response, nil
}

// gated is the body of a watch.
type gated struct {
	gate  *Gate
	body  io.ReadCloser
	lines []line // that have come, and are not read
	ended error
}

// line is what is left to read of one, and whether it tells of an object: a bookmark does not.
type line struct {
	rest  []byte
	event bool
}

// hold reads a body line by line.
func (g *Gate) hold(body io.ReadCloser) io.ReadCloser {
	b := &gated{gate: g, body: body}
	go func() {
		for from := bufio.NewReader(body); ; {
			text, err := from.ReadBytes('\n')
			g.change(func() {
				if len(text) > 0 {
					one := line{text, !bytes.HasPrefix(text, []byte(`{"type":"BOOKMARK"`))}
					b.lines = append(b.lines, one)
					if one.event {
						g.held++
					}
				}
				b.ended = err
			})
			if err != nil {
				return
			}
		}
	}()
	return b
}

// Read implements io.Reader.
func (b *gated) Read(p []byte) (int, error) {
	g := b.gate
	g.lock.Lock()
	defer g.lock.Unlock()
	for len(b.lines) == 0 || g.closed && g.through == 0 {
		if b.ended != nil {
			return 0, b.ended
		}
		g.changed.Wait()
	}
	first := &b.lines[0]
	n := copy(p, first.rest)
	if first.rest = first.rest[n:]; len(first.rest) > 0 {
		return n, nil
	}
	if first.event {
		g.held--
		if g.closed {
			g.through--
		}
	}
	b.lines = b.lines[1:]
	return n, nil
}

// Close implements io.Closer. What was held will not be read.
func (b *gated) Close() error {
	err := b.body.Close() // which ends its reading
	b.gate.change(func() {
		for _, l := range b.lines {
			if l.event {
				b.gate.held--
			}
		}
		b.lines = nil
	})
	return err
}
