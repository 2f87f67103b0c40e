package apiserver

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const path = "/api/v1/namespaces/n/configmaps"

// pipes is a listener whose connections are net.Pipe: they run in a bubble, and have no buffer, so
// that a client that does not read stops the server in its write.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}
func (p *pipes) Close() error   { p.once.Do(func() { close(p.closed) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.IPAddr{} }
func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	p.conns <- there
	return here, nil
}

// running is a server in the test's bubble and a client of it.
type running struct {
	t      *testing.T
	store  *storage.Store
	client *http.Client
	bodies []io.Closer
}

// bubble runs a test against a server on pipes, in a bubble, and ends both.
func bubble(t *testing.T, o Options, so storage.Options, test func(t *testing.T, s *running)) {
	testkit.Bubble(t, func(t *testing.T) {
		store := storage.New(so)
		listener := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
		server := &http.Server{Handler: New(store, o, ConfigMaps)}
		go func() { _ = server.Serve(listener) }()
		transport := &http.Transport{DialContext: listener.dial}
		s := &running{t: t, store: store, client: &http.Client{Transport: transport}}
		defer func() {
			for _, body := range s.bodies {
				_ = body.Close()
			}
			transport.CloseIdleConnections()
			_ = server.Close()
			synctest.Wait()
			assert.Zero(t, store.Watchers(), "watches that nobody reads are left in the store")
		}()
		test(t, s)
	})
}

// do sends a request and returns the code and the decoded answer.
func (s *running) do(method, url, body string, headers ...string) (int, map[string]any) {
	s.t.Helper()
	r, err := http.NewRequest(method, "http://server"+url, strings.NewReader(body))
	require.NoError(s.t, err)
	r.Header.Set("Content-Type", "application/json")
	for _, h := range headers {
		k, v, _ := strings.Cut(h, ": ")
		r.Header.Set(k, v)
	}
	response, err := s.client.Do(r)
	require.NoError(s.t, err)
	defer response.Body.Close()
	var answer map[string]any
	require.NoError(s.t, json.NewDecoder(response.Body).Decode(&answer))
	_, _ = io.Copy(io.Discard, response.Body)
	return response.StatusCode, answer
}

// put writes a ConfigMap with one value.
func (s *running) put(name, value string) {
	s.t.Helper()
	body := `{"metadata":{"name":"` + name + `"},"data":{"value":"` + value + `"}}`
	if code, _ := s.do("POST", path, body); code == 409 {
		code, answer := s.do("PUT", path+"/"+name, body)
		require.Equal(s.t, 200, code, answer)
	}
}

// line is an event as the tests look at it.
type line struct {
	Type   string
	Object struct {
		Code     int
		Message  string
		Kind     string
		Metadata struct {
			Name, ResourceVersion string
			Annotations           map[string]string
		}
	}
}

// stream is an open watch.
type openWatch struct {
	t     *testing.T
	body  io.ReadCloser
	lines *bufio.Scanner
}

func (s *running) watch(query string) *openWatch {
	s.t.Helper()
	response, err := s.client.Get("http://server" + path + "?watch=true" + query)
	require.NoError(s.t, err)
	require.Equal(s.t, 200, response.StatusCode)
	s.bodies = append(s.bodies, response.Body)
	return &openWatch{s.t, response.Body, bufio.NewScanner(response.Body)}
}

// next reads an event; false is the clean end of the stream.
func (w *openWatch) next() (line, bool) {
	w.t.Helper()
	var e line
	if !w.lines.Scan() {
		require.NoError(w.t, w.lines.Err())
		return e, false
	}
	require.NoError(w.t, json.Unmarshal(w.lines.Bytes(), &e))
	return e, true
}

// want reads one event for each "TYPE name@revision".
func (w *openWatch) want(events ...string) {
	w.t.Helper()
	for _, want := range events {
		e, ok := w.next()
		require.True(w.t, ok, "the stream ended before %s", want)
		require.Equal(w.t, want, e.Type+" "+e.Object.Metadata.Name+"@"+e.Object.Metadata.ResourceVersion)
	}
}
