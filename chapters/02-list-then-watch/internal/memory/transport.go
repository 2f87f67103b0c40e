package memory

import (
	"context"
	"io"
	"net/http"
)

// RoundTrip makes the server a client's transport: the response's body is what the handler writes,
// while it writes it.
func (s *Server) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil {
		r.Body = http.NoBody
	}
	body, in := io.Pipe()
	w := &response{body: in, header: http.Header{}, status: make(chan int, 1)}
	go func() {
		defer in.Close()
		s.ServeHTTP(w, r)
	}()
	select {
	case code := <-w.status:
		after := context.AfterFunc(r.Context(), func() { body.CloseWithError(r.Context().Err()) })
		return &http.Response{
			StatusCode: code, Status: http.StatusText(code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: w.header, Body: reader{body, after}, ContentLength: -1, Request: r,
		}, nil
	case <-r.Context().Done():
		body.CloseWithError(r.Context().Err())
		return nil, r.Context().Err()
	}
}

// reader is a response's body.
type reader struct {
	*io.PipeReader
	after func() bool
}

// Close ends the handler's writes.
func (r reader) Close() error {
	r.after()
	return r.PipeReader.Close()
}

// response is an http.ResponseWriter into a pipe.
type response struct {
	body   *io.PipeWriter
	header http.Header
	status chan int
}

func (w *response) Header() http.Header { return w.header }

func (w *response) WriteHeader(code int) { w.status <- code }

func (w *response) Write(p []byte) (int, error) { return w.body.Write(p) }

// Flush has nothing to do: a pipe holds nothing back.
func (w *response) Flush() {}
