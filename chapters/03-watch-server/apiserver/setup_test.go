package apiserver

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/pipe"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const path = "/api/v1/namespaces/n/configmaps"

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
		transport, stop := pipe.Serve(New(store, o, ConfigMaps))
		s := &running{t: t, store: store, client: &http.Client{Transport: transport}}
		defer func() {
			for _, body := range s.bodies {
				_ = body.Close()
			}
			stop()
			synctest.Wait()
			assert.Zero(t, store.Watchers(), "watches that nobody reads are left in the store")
		}()
		test(t, s)
	})
}

// do sends a request and returns the code and the decoded answer.
func (s *running) do(method, url, body string, headers ...string) (int, map[string]any) {
	s.t.Helper()
	response, raw := cluster.Do(s.t, s.client, method, "http://server"+url, body, headers...)
	var answer map[string]any
	require.NoError(s.t, json.Unmarshal(raw, &answer), "%s", raw)
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
