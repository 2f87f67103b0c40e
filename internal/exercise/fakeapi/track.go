package fakeapi

import (
	"io"
	"net/http"
	"strconv"
)

// tracker is the client's side: it numbers the requests and watches over the responses' bodies.
type tracker struct{ s *Server }

func (t *tracker) RoundTrip(r *http.Request) (*http.Response, error) {
	t.s.mu.Lock()
	x := t.s.exchange(0)
	x.rec.Method, x.rec.Path, x.rec.Query = r.Method, r.URL.Path, r.URL.Query()
	t.s.mu.Unlock()

	r = r.Clone(r.Context())
	r.Header.Set(idHeader, strconv.Itoa(x.rec.N))
	resp, err := t.s.tr.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body := &trackedBody{ReadCloser: resp.Body, s: t.s, x: x}
	t.s.update(func() { x.body, x.rec.Status, x.rec.BodyOpen = body, resp.StatusCode, true })
	resp.Body = body
	return resp, nil
}

// CloseIdleConnections makes http.Client.CloseIdleConnections work.
func (t *tracker) CloseIdleConnections() { t.s.tr.CloseIdleConnections() }

type trackedBody struct {
	io.ReadCloser
	s *Server
	x *exchange
}

func (b *trackedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.s.update(func() {
		b.x.rec.Read += n
		if err == io.EOF {
			b.x.rec.ReadToEnd = true
		}
	})
	return n, err
}

func (b *trackedBody) Close() error {
	b.s.update(func() { b.x.rec.BodyOpen = false })
	return b.ReadCloser.Close()
}

type exchange struct {
	rec  Request
	body *trackedBody
}
