package scenario

import (
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
)

// Cost counts what a client asks for, and the bytes that come back, as they are once decompressed.
type Cost struct {
	next                        http.RoundTripper
	requests, watches, streamed atomic.Int64
	bytes                       atomic.Int64
	tell                        func(*http.Request)
}

// Between puts it between a client and the server. A function may be told of each request for objects.
func (c *Cost) Between(tell func(*http.Request)) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		c.next, c.tell = next, tell
		return c
	}
}

// RoundTrip implements http.RoundTripper.
func (c *Cost) RoundTrip(r *http.Request) (*http.Response, error) {
	if discovery(r) {
		return c.next.RoundTrip(r)
	}
	c.requests.Add(1)
	if r.URL.Query().Get("watch") != "" {
		c.watches.Add(1)
	}
	if r.URL.Query().Get("sendInitialEvents") == "true" {
		c.streamed.Add(1)
	}
	if c.tell != nil {
		c.tell(r)
	}
	response, err := c.next.RoundTrip(r)
	if err == nil {
		response.Body = &countedBody{response.Body, &c.bytes}
	}
	return response, err
}

// discovery says whether a request asks which kinds there are.
func discovery(r *http.Request) bool {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	return len(parts) < 3 || parts[0] == "apis" && len(parts) < 4
}

// Requests is how many there were, and how many of them are watches.
func (c *Cost) Requests() (all, watches int64) { return c.requests.Load(), c.watches.Load() }

// Streamed is how many watches have begun with the list.
func (c *Cost) Streamed() int64 { return c.streamed.Load() }

// Bytes is how many were read.
func (c *Cost) Bytes() int64 { return c.bytes.Load() }

type countedBody struct {
	io.ReadCloser
	bytes *atomic.Int64
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.bytes.Add(int64(n))
	return n, err
}

// Heap is how many bytes of the heap are in use once what is not is gone.
func Heap() int64 {
	var m runtime.MemStats
	for range 2 { // what has a finalizer takes two
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
