package apiserver

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
)

var full = flag.Bool("full", false, "TestThousandWatchersOverHTTP2: 10,000 writes, under -race too")

// TestThousandWatchersOverHTTP2: a thousand streams on a few connections, ten of them over all
// namespaces, while four clients write over HTTP too. Nobody misses an event or gets two in the
// wrong order; a watch that ends resumes from what it got.
func TestThousandWatchersOverHTTP2(t *testing.T) {
	const everything, namespaces = 10, 100
	watchers, writes := 1000, 1000
	switch {
	case *full:
		writes = 10_000
	case raced:
		watchers, writes = 200, 200
	}
	store := storage.New(storage.Options{History: writes + 10})
	server := httptest.NewUnstartedServer(New(store, Options{}, ConfigMaps))
	server.EnableHTTP2 = true
	server.Config.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: 2 * watchers}
	server.StartTLS()
	defer server.Close()
	client := server.Client()
	defer client.CloseIdleConnections()
	var protocol atomic.Value

	last := uint64(1 + writes)
	got := make([][]uint64, watchers)
	var resumed atomic.Int64
	begun, ended := make(chan struct{}, watchers), make(chan error, watchers)
	for i := range watchers {
		url := server.URL + "/api/v1/configmaps?watch=true&allowWatchBookmarks=true"
		if i >= everything {
			url = fmt.Sprintf("%s/api/v1/namespaces/n%d/configmaps?watch=true&allowWatchBookmarks=true", server.URL, i%namespaces)
		}
		go func() {
			after, first := uint64(1), true
			for after < last {
				response, err := client.Get(fmt.Sprint(url, "&resourceVersion=", after))
				if err != nil {
					ended <- err
					return
				}
				if protocol.Store(response.Proto); first {
					begun <- struct{}{}
				} else {
					resumed.Add(1)
				}
				first = false
				lines := bufio.NewScanner(response.Body)
				for after < last && lines.Scan() {
					revision := revisionOf(lines.Bytes())
					if !bytes.HasPrefix(lines.Bytes(), []byte(`{"type":"BOOKMARK"`)) {
						got[i] = append(got[i], revision)
					}
					after = revision
				}
				_ = response.Body.Close()
			}
			ended <- nil
		}()
	}
	for range watchers {
		select {
		case <-begun:
		case err := <-ended:
			t.Fatal(err)
		}
	}

	start := time.Now()
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := range writes / 4 {
				url := fmt.Sprintf("%s/api/v1/namespaces/n%d/configmaps", server.URL, (4*i+w)%namespaces)
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
	writing := time.Since(start)
	require.Equal(t, last, store.Revision())
	// The watches of a namespace end when they know that the last write has been.
	done := make(chan struct{})
	go func() {
		for range watchers {
			require.NoError(t, <-ended)
		}
		close(done)
	}()
	for finished := false; !finished; {
		select {
		case <-done:
			finished = true
		case <-time.After(50 * time.Millisecond): // again, for those that resume just now
			store.BookmarkAll()
		}
	}
	took := time.Since(start)

	w, err := store.Watch(storage.Query{Resource: "configmaps"}, 1, false)
	require.NoError(t, err)
	w.Stop()
	want, delivered := map[string][]uint64{}, 0
	for _, e := range w.Initial {
		want[""] = append(want[""], e.Revision)
		want[e.Object.Namespace] = append(want[e.Object.Namespace], e.Revision)
	}
	for i := range watchers {
		namespace := ""
		if i >= everything {
			namespace = fmt.Sprintf("n%d", i%namespaces)
		}
		require.True(t, slices.Equal(want[namespace], got[i]), "watcher %d of %q: %d events, want %d", i, namespace, len(got[i]), len(want[namespace]))
		delivered += len(got[i])
	}
	t.Logf("%s: %d writes in %v, %d watchers, %d events delivered in %v (%.0f/s), %d watches resumed",
		protocol.Load(), writes, writing.Round(time.Millisecond), watchers, delivered, took.Round(time.Millisecond),
		float64(delivered)/took.Seconds(), resumed.Load())
}

func send(t *testing.T, client *http.Client, method, url, body string) int {
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return 0
	}
	response, err := client.Do(r)
	if err != nil {
		t.Error(err)
		return 0
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body)
	return response.StatusCode
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
