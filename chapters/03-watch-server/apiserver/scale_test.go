package apiserver

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

var full = flag.Bool("full", false, "TestThousandWatchersOverHTTP2: 10,000 writes, under -race too")

// everything and namespaces say who watches what: a few watch all namespaces, the others one each.
const everything, namespaces = 10, 100

// TestThousandWatchersOverHTTP2: a thousand streams on a few connections, ten of them over all
// namespaces, while four clients write over HTTP too. Nobody misses an event or gets two in the
// wrong order; a watch that ends resumes from what it got.
func TestThousandWatchersOverHTTP2(t *testing.T) {
	watchers, writes := 1000, 1000
	switch {
	case *full:
		writes = 10_000
	case testkit.Raced:
		watchers, writes = 200, 200
	}
	store := storage.New(storage.Options{History: writes + 10})
	// A watch of a namespace knows from a bookmark that the last write has been.
	server := httptest.NewUnstartedServer(New(store, Options{BookmarkEvery: time.Second}, ConfigMaps))
	server.EnableHTTP2 = true
	server.Config.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: 2 * watchers}
	server.StartTLS()
	defer server.Close()
	client := server.Client()
	defer client.CloseIdleConnections()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel() // before the server is closed, which waits for its watches
	// Of a thousand requests without a connection each would make its own, which takes a busy machine longer than http2
	// waits.
	first, err := client.Get(server.URL + "/api/v1/configmaps")
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, first.Body)
	require.NoError(t, errors.Join(err, first.Body.Close()))

	last := uint64(1 + writes)
	readers := make([]*reader, watchers)
	begun, ended := make(chan struct{}, watchers), make(chan error, watchers)
	for i := range readers {
		readers[i] = &reader{client: client, namespace: fmt.Sprintf("n%d", i%namespaces), last: last}
		if i < everything {
			readers[i].namespace = ""
		}
		go func() { ended <- readers[i].read(ctx, server.URL, begun) }()
	}
	for range watchers {
		select {
		case <-begun:
		case err := <-ended:
			t.Fatal(err)
		}
	}
	start := time.Now()
	writeAll(t, client, server.URL, writes)
	require.Equal(t, last, store.Revision())
	writing := time.Since(start)
	for range watchers {
		require.NoError(t, <-ended)
	}
	delivered, resumed := compareWithLog(t, store, readers)
	t.Logf("%s: %d writes in %v, %d watchers, %d events delivered in %v, %d watches resumed",
		readers[0].protocol, writes,
		writing.Round(time.Millisecond), watchers, delivered, time.Since(start).Round(time.Millisecond), resumed)
}

// reader watches one namespace, or all of them, until it has heard of the last write. When its watch ends, it resumes.
type reader struct {
	client    *http.Client
	namespace string // "" is all
	last      uint64

	got      []uint64 // the revisions of the events
	watches  int
	protocol string
}

func (r *reader) read(ctx context.Context, server string, begun chan<- struct{}) error {
	path := "/api/v1/namespaces/" + r.namespace + "/configmaps"
	if r.namespace == "" {
		path = "/api/v1/configmaps"
	}
	after := uint64(1)
	for after < r.last {
		url := fmt.Sprintf("%s%s?watch=true&allowWatchBookmarks=true&resourceVersion=%d", server, path, after)
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		response, err := r.client.Do(request)
		if err != nil {
			return err
		}
		r.watches++
		r.protocol = response.Proto
		if r.watches == 1 {
			begun <- struct{}{}
		}
		lines := bufio.NewScanner(response.Body)
		for after < r.last && lines.Scan() {
			after = revisionOf(lines.Bytes())
			if !bytes.HasPrefix(lines.Bytes(), []byte(`{"type":"BOOKMARK"`)) {
				r.got = append(r.got, after)
			}
		}
		_ = response.Body.Close() // however it ended: the next one goes on from here
	}
	return nil
}

// writeAll makes so many writes, from four clients.
func writeAll(t *testing.T, client *http.Client, server string, writes int) {
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := range writes / 4 {
				url := fmt.Sprintf("%s/api/v1/namespaces/n%d/configmaps", server, (4*i+w)%namespaces)
				name := fmt.Sprintf("w%d", w)
				body := fmt.Sprintf(`{"metadata":{"name":%q},"data":{"value":"%d"}}`, name, i)
				code := send(t, client, "PUT", url+"/"+name, body)
				if code == 404 {
					code = send(t, client, "POST", url, body)
				}
				if code != 200 && code != 201 {
					t.Errorf("write %d of writer %d: %d", i, w, code)
				}
			}
		})
	}
	writers.Wait()
}

// compareWithLog holds what each reader got against the store's own log of the writes.
func compareWithLog(t *testing.T, store *storage.Store, readers []*reader) (delivered, resumed int) {
	w, err := store.Watch(storage.Query{Resource: "configmaps"}, 1, false)
	require.NoError(t, err)
	w.Stop()
	want := map[string][]uint64{}
	for _, e := range w.Initial {
		want[""] = append(want[""], e.Revision)
		want[e.Object.Namespace] = append(want[e.Object.Namespace], e.Revision)
	}
	for i, r := range readers {
		require.True(t, slices.Equal(want[r.namespace], r.got),
			"reader %d of %q: %d events, want %d", i, r.namespace, len(r.got), len(want[r.namespace]))
		delivered += len(r.got)
		resumed += r.watches - 1
	}
	return delivered, resumed
}

func send(t *testing.T, client *http.Client, method, url, body string) int {
	code, _, err := lab.SendJSON(t.Context(), client, method, url, body)
	if err != nil {
		t.Error(err)
	}
	return code
}

// revisionOf finds the resourceVersion of an event without decoding all of it.
func revisionOf(line []byte) (revision uint64) {
	_, rest, _ := bytes.Cut(line, []byte(`"resourceVersion":"`))
	for _, c := range rest {
		if c < '0' || c > '9' {
			break
		}
		revision = 10*revision + uint64(c-'0')
	}
	return revision
}
