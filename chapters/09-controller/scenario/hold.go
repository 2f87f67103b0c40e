package scenario

import (
	"io"
	"net/http"
	"strings"
	"sync"
)

// Hold is a transport through which nothing comes of one collection until it is released: neither a list nor an event.
type Hold struct {
	next       http.RoundTripper
	collection string
	lock       sync.Mutex // guards released
	released   chan struct{}
	atUpdate   sync.Once // holds
}

// HoldNow holds a collection from the beginning.
func HoldNow(next http.RoundTripper, collection string) *Hold {
	h := &Hold{next: next, collection: collection, released: make(chan struct{})}
	h.atUpdate.Do(func() {}) // not again
	return h
}

// HoldAtUpdate holds a collection from the first update on that is sent through it: what comes of that is held, too.
func HoldAtUpdate(next http.RoundTripper, collection string) *Hold {
	h := &Hold{next: next, collection: collection, released: make(chan struct{})}
	close(h.released)
	return h
}

func (h *Hold) begin() {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.released = make(chan struct{})
}

// Release lets all come.
func (h *Hold) Release() {
	h.lock.Lock()
	defer h.lock.Unlock()
	select {
	case <-h.released:
	default:
		close(h.released)
	}
}

func (h *Hold) wait() <-chan struct{} {
	h.lock.Lock()
	defer h.lock.Unlock()
	return h.released
}

// RoundTrip implements http.RoundTripper.
func (h *Hold) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodPut {
		h.atUpdate.Do(h.begin)
	}
	response, err := h.next.RoundTrip(r)
	if err == nil && r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/"+h.collection) {
		response.Body = &held{ReadCloser: response.Body, hold: h, closed: make(chan struct{})}
	}
	return response, err
}

// held is the body of a list or a watch.
type held struct {
	io.ReadCloser
	hold   *Hold
	once   sync.Once
	closed chan struct{}
}

// Read has what has come wait.
func (b *held) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	select {
	case <-b.hold.wait():
	case <-b.closed:
	}
	return n, err
}

// Close ends a Read that waits, too.
func (b *held) Close() error {
	b.once.Do(func() { close(b.closed) })
	return b.ReadCloser.Close()
}
