package claims

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/listwatch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
)

// TestListThenWatch runs chapter 02's client on this chapter's server, with a window of three
// changes: while its connections are cut, more than that is written, so that it meets 410 too.
func TestListThenWatch(t *testing.T) {
	for name, streaming := range map[string]bool{"list": false, "streaming list": true} {
		t.Run(name, func(t *testing.T) {
			s := ours(t, storage.Options{History: 3})
			writer := s // whose connections are not among those that are cut
			writer.http = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			put := func(i int) {
				t.Helper()
				body := fmt.Sprintf(`{"metadata":{"name":"a%d"},"data":{"v":"%d"}}`, i%7, i)
				if code, _ := writer.ask(t, "PUT", s.collection()+fmt.Sprintf("/a%d", i%7), body); code == 404 {
					code, _ = writer.ask(t, "POST", s.collection(), body)
					require.Equal(t, 201, code)
				}
				if i%5 == 4 {
					writer.ask(t, "DELETE", fmt.Sprintf("%s/a%d", s.collection(), (i+3)%7), "")
				}
			}
			for i := range 10 {
				put(i)
			}
			view := &listwatch.View{}
			states := make(chan listwatch.State, 1000)
			client := &listwatch.Client{
				Source: listwatch.Collection{Client: &watch.Client{Server: s.url, HTTP: s.http},
					Path: watch.Path("", "v1", s.namespace, "configmaps")},
				View: view, Streaming: streaming, Observe: func(st listwatch.State) { states <- st },
				Backoff: &listwatch.Backoff{Base: time.Millisecond, Cap: 10 * time.Millisecond, Reset: time.Minute,
					Rand: func() float64 { return 0 }},
			}
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- client.Run(ctx) }()
			defer func() { cancel(); <-done }()
			reach := func(doing listwatch.Activity) {
				t.Helper()
				for {
					select {
					case st := <-states:
						if st.Doing == doing {
							return
						}
					case <-time.After(10 * time.Second):
						t.Fatalf("the client never came to %q", doing)
					}
				}
			}
			reach(listwatch.Synced)
			for i := 10; i < 40; i++ {
				put(i)
				if i%10 == 0 {
					s.cut()
				}
			}
			require.Eventually(t, func() bool {
				_, list := writer.ask(t, "GET", s.collection(), "")
				want := map[string]bool{}
				for _, item := range list["items"].([]any) {
					m := item.(map[string]any)["metadata"].(map[string]any)
					want[fmt.Sprint(m["name"], "@", m["resourceVersion"])] = true
				}
				have := view.Objects()
				for _, o := range have {
					if !want[o.Name+"@"+o.ResourceVersion] {
						return false
					}
				}
				return len(have) == len(want)
			}, 10*time.Second, 5*time.Millisecond, "the client's view becomes the server's")
		})
	}
}
