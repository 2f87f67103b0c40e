package claims

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

func TestMain(m *testing.M) { cluster.Main(m) }

// fixture is a cluster with a namespace of the test's own, and this chapter's client for it.
type fixture struct {
	*cluster.Cluster
	client *watch.Client
	path   string // of the namespace's ConfigMaps
}

func setup(t *testing.T) *fixture {
	t.Helper()
	return on(cluster.New(t))
}

func on(c *cluster.Cluster) *fixture {
	return &fixture{Cluster: c, path: watch.Path("", "v1", c.Namespace, "configmaps"),
		client: &watch.Client{Server: c.Server.String(), HTTP: c.HTTPClient()}}
}

// object is an object as JSON has it.
type object = map[string]any

// tea is a ConfigMap. The labels may be nil.
func tea(name string, labels object) object {
	return object{"metadata": object{"name": name, "labels": labels}, "data": object{"cups": "1"}}
}

// create makes a ConfigMap and returns its resourceVersion.
func (f *fixture) create(name string, labels object) string {
	var made struct{ Metadata watch.Meta }
	f.Must(http.MethodPost, f.path, tea(name, labels), &made)
	return made.Metadata.ResourceVersion
}

// label changes the ConfigMap's label drink.
func (f *fixture) label(name, drink string) {
	f.Must(http.MethodPatch, f.path+"/"+name, object{"metadata": object{"labels": object{"drink": drink}}}, nil)
}

// watch opens a watch that ends with the test at the latest.
func (f *fixture) watch(t *testing.T, o watch.Options) *watch.Stream {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	s, err := f.client.Watch(ctx, f.path, o)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// next reads an event and its metadata. It passes over what a full cluster puts into every namespace.
func next(s *watch.Stream) (event watch.Event, meta watch.Meta, err error) {
	for event.Type == "" || lab.Foreign(meta.Name) {
		if event, err = s.Next(); err == nil {
			err = event.Err()
		}
		if err == nil {
			meta, err = event.Meta()
		}
		if err != nil {
			return event, meta, err
		}
	}
	return event, meta, nil
}

// events reads n events, as "TYPE name". It passes over bookmarks, which come when the server likes.
func events(t *testing.T, s *watch.Stream, n int) (got []string) {
	t.Helper()
	for len(got) < n {
		event, meta, err := next(s)
		require.NoError(t, err, "after %v", got)
		if event.Type != watch.Bookmark {
			got = append(got, fmt.Sprintf("%s %s", event.Type, meta.Name))
		}
	}
	return got
}

// untilEnd reads a stream that the server ends, and returns its events.
func untilEnd(t *testing.T, s *watch.Stream) (got []string) {
	t.Helper()
	for {
		event, meta, err := next(s)
		if err == io.EOF {
			return got
		}
		require.NoError(t, err, "after %v", got)
		if event.Type != watch.Bookmark {
			got = append(got, fmt.Sprintf("%s %s", event.Type, meta.Name))
		}
	}
}

// http1 returns a client whose transport speaks HTTP/1.1 only, does not ask for gzip, and is closed with the test.
func (f *fixture) http1(t *testing.T) *http.Client {
	transport := f.NewTransport()
	transport.Protocols = new(http.Protocols)
	transport.Protocols.SetHTTP1(true)
	transport.DisableCompression = true
	t.Cleanup(transport.CloseIdleConnections)
	return f.Client(transport)
}

// http2 is the same with HTTP/2 only.
func (f *fixture) http2(t *testing.T) *http.Client {
	transport := f.NewTransport()
	transport.Protocols = new(http.Protocols)
	transport.Protocols.SetHTTP2(true)
	transport.DisableCompression = true
	t.Cleanup(transport.CloseIdleConnections)
	return f.Client(transport)
}

// get sends a GET with headers ("Name", "value", ...) and returns the open response.
func (f *fixture) get(t *testing.T, client *http.Client, path string, headers ...string) *http.Response {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.Server.String()+path, nil)
	require.NoError(t, err)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := client.Do(req)
	require.NoError(t, err)
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// kindOf returns the kind that a JSON body says it is.
func kindOf(t *testing.T, body io.Reader) string {
	t.Helper()
	var o struct{ Kind string }
	require.NoError(t, json.NewDecoder(body).Decode(&o))
	return o.Kind
}
