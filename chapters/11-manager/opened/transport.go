package opened

import (
	"io"
	"net/http"
	"strings"
	"sync"
)

// Transport is for rest.Config.Wrap: it records each request as it is sent, as the client of this name's, and the end
// of each watch.
func (r *Record) Transport(client string) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper { return openTransport{next, r, client} }
}

type openTransport struct {
	next   http.RoundTripper
	record *Record
	client string
}

// RoundTrip implements http.RoundTripper.
func (t openTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	what := Describe(request)
	note := func(text string) { t.record.Note(Event{Part: Requests, Name: t.client, What: text}) }
	note(what)
	response, err := t.next.RoundTrip(request)
	if err == nil && isWatch(request) {
		response.Body = &body{response.Body, func() { note("end of " + what) }, sync.Once{}}
	}
	return response, err
}

// CloseIdleConnections passes on what http.Client.CloseIdleConnections asks for.
func (t openTransport) CloseIdleConnections() {
	(&http.Client{Transport: t.next}).CloseIdleConnections()
}

// WrappedRoundTripper lets client-go find the transport below.
func (t openTransport) WrappedRoundTripper() http.RoundTripper { return t.next }

func isWatch(r *http.Request) bool { return r.URL.Query().Get("watch") != "" }

// Describe says what a request asks for: "GET configmaps", "GET configmaps, a watch", "PUT leases/mirror", "GET
// configmaps, a watch, metadata only". Namespaces and versions are left out.
func Describe(r *http.Request) string {
	path := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case path[0] == "api" && len(path) > 2:
		path = path[2:]
	case path[0] == "apis" && len(path) > 3:
		path = path[3:]
	}
	if path[0] == "namespaces" && len(path) > 2 {
		path = path[2:]
	}
	what := r.Method + " " + strings.Join(path, "/")
	if isWatch(r) {
		what += ", a watch"
	}
	if strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata") {
		what += ", metadata only"
	}
	return what
}

// body tells of its end.
type body struct {
	io.ReadCloser
	ended func()
	once  sync.Once
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.once.Do(b.ended)
	}
	return n, err
}

func (b *body) Close() error {
	b.once.Do(b.ended)
	return b.ReadCloser.Close()
}
