package informer_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"

	bookwatch "github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/pipe"
)

// wire answers requests with HTTP from memory: the bytes are there before anybody asks, so that a measurement has no
// server in it. It is an http.RoundTripper, for one watch at a time.
type wire struct {
	list, initial []byte
	in            chan []byte // what the open watch goes on with
}

func newWire(objects []*corev1.ConfigMap) *wire {
	w := &wire{in: make(chan []byte)}
	list := corev1.ConfigMapList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMapList"},
		ListMeta: metav1.ListMeta{ResourceVersion: "1"}}
	for _, o := range objects {
		list.Items = append(list.Items, *o)
	}
	w.list = append(chunk(marshal(list)), "0\r\n\r\n"...)
	w.initial = append(w.events(watch.Added, objects),
		w.events(watch.Bookmark, []*corev1.ConfigMap{endOfInitial()})...)
	return w
}

// events writes a chunk for each event, as the API server does.
func (w *wire) events(kind watch.EventType, objects []*corev1.ConfigMap) (text []byte) {
	for _, o := range objects {
		named := *o
		named.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}
		text = append(text, chunk(marshal(metav1.WatchEvent{Type: string(kind),
			Object: runtime.RawExtension{Raw: marshal(named)}}))...)
	}
	return text
}

func chunk(data []byte) []byte { return fmt.Appendf(nil, "%x\r\n%s\n\r\n", len(data)+1, data) }

func marshal(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// RoundTrip implements http.RoundTripper.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	parts := []io.Reader{strings.NewReader("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" +
		"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n")}
	ctx, cancel := context.WithCancel(r.Context())
	switch q := r.URL.Query(); {
	case q.Get("watch") == "":
		parts = append(parts, bytes.NewReader(w.list))
	case q.Get("sendInitialEvents") == "true":
		parts = append(parts, bytes.NewReader(w.initial))
		fallthrough
	default:
		parts = append(parts, &tap{ctx: ctx, in: w.in})
	}
	response, err := http.ReadResponse(bufio.NewReader(io.MultiReader(parts...)), r)
	if err != nil {
		cancel()
		return nil, err
	}
	response.Body = cut{response.Body, cancel}
	return response, nil
}

// tap reads what comes, until the context ends.
type tap struct {
	ctx  context.Context
	in   <-chan []byte
	rest []byte
}

func (t *tap) Read(p []byte) (int, error) {
	if len(t.rest) == 0 {
		select {
		case t.rest = <-t.in:
		case <-t.ctx.Done():
			return 0, t.ctx.Err()
		}
	}
	n := copy(p, t.rest)
	t.rest = t.rest[n:]
	return n, nil
}

// cut is a body whose Close ends a Read.
type cut struct {
	io.Reader
	cancel context.CancelFunc
}

func (c cut) Close() error {
	c.cancel()
	return nil
}

// fromClientGo has client-go decode.
func fromClientGo(w *wire) cache.ListerWatcher { return clientGo(w) }

func clientGo(transport http.RoundTripper) cache.ListerWatcher {
	set, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: "http://memory", QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}, &http.Client{Transport: transport})
	if err != nil {
		panic(err)
	}
	return cache.NewListWatchFromClient(set.CoreV1().RESTClient(), "configmaps", "default", fields.Everything())
}

// fromBook has chapter 01 decode.
func fromBook(w *wire) cache.ListerWatcher {
	client := &bookwatch.Client{Server: "http://memory", HTTP: &http.Client{Transport: w}}
	path := bookwatch.Path("", "v1", "default", "configmaps")
	return &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			got, err := client.List(ctx, path, bookOptions(o))
			if err != nil {
				return nil, err
			}
			list := &corev1.ConfigMapList{ListMeta: metav1.ListMeta{ResourceVersion: got.Metadata.ResourceVersion,
				Continue: got.Metadata.Continue}, Items: make([]corev1.ConfigMap, len(got.Items))}
			for i, item := range got.Items {
				if err := json.Unmarshal(item, &list.Items[i]); err != nil {
					return nil, err
				}
			}
			return list, nil
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			stream, err := client.Watch(ctx, path, bookOptions(o))
			if err != nil {
				return nil, err
			}
			f := &feed{events: make(chan watch.Event), stopped: make(chan struct{})}
			context.AfterFunc(ctx, f.Stop)
			go decode(stream, f)
			return f, nil
		},
	}
}

func bookOptions(o metav1.ListOptions) bookwatch.Options {
	converted := bookwatch.Options{ResourceVersion: o.ResourceVersion,
		ResourceVersionMatch: string(o.ResourceVersionMatch), AllowWatchBookmarks: o.AllowWatchBookmarks,
		TimeoutSeconds: int(ptr.Deref(o.TimeoutSeconds, 0)), Limit: int(o.Limit), Continue: o.Continue}
	if o.SendInitialEvents != nil {
		converted.SendInitialEvents = fmt.Sprint(*o.SendInitialEvents)
	}
	return converted
}

// decode sends a stream's events until it ends.
func decode(stream *bookwatch.Stream, to *feed) {
	defer close(to.events)
	defer stream.Close()
	go func() {
		<-to.stopped
		stream.Close()
	}()
	for {
		event, err := stream.Next()
		if err != nil {
			return
		}
		object := new(corev1.ConfigMap)
		if json.Unmarshal(event.Object, object) != nil {
			return
		}
		object.TypeMeta = metav1.TypeMeta{} // as client-go leaves it
		select {
		case to.events <- watch.Event{Type: watch.EventType(event.Type), Object: object}:
		case <-to.stopped:
			return
		}
	}
}

// TestBothDecodersFillTheSameStore has what is measured with bytes from HTTP end up in the store, ours and upstream's.
func TestBothDecodersFillTheSameStore(t *testing.T) {
	for _, c := range contenders {
		t.Run(c.name, func(t *testing.T) {
			before, after := fleet(10, 1), fleet(10, 11)
			w := newWire(before)
			told, reached := tallies(1, len(before))
			running, stop := c.run(t, c.source(w), told...)
			defer stop()
			wait(reached, 1)
			require.Equal(t, before, stored(running))
			w.in <- w.events(watch.Modified, after)
			wait(reached, 1)
			require.Equal(t, after, stored(running))
		})
	}
}

// stored lists an informer's store, by version.
func stored(i cache.SharedIndexInformer) (objects []*corev1.ConfigMap) {
	for _, o := range i.GetStore().List() {
		objects = append(objects, o.(*corev1.ConfigMap))
	}
	slices.SortFunc(objects, func(a, b *corev1.ConfigMap) int {
		return strings.Compare(fmt.Sprintf("%9s", a.ResourceVersion), fmt.Sprintf("%9s", b.ResourceVersion))
	})
	return objects
}

// served is chapter 03's API server in memory.
type served struct{ transport *http.Transport }

func newServed(b *testing.B, name string) served {
	server := apiserver.New(storage.New(storage.Options{}), apiserver.Options{}, apiserver.ConfigMaps)
	transport, stop := pipe.Serve(server)
	b.Cleanup(stop)
	s := served{transport}
	s.send(b, http.MethodPost, "", name, -1)
	return s
}

func (s served) listWatch() cache.ListerWatcher { return clientGo(s.transport) }

// put changes an object.
func (s served) put(b *testing.B, name string, value int) {
	s.send(b, http.MethodPut, "/"+name, name, value)
}

func (s served) send(b *testing.B, method, path, name string, value int) {
	body := fmt.Sprintf(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":%q},"data":{"n":"%d"}}`, name, value)
	target := "http://memory/api/v1/namespaces/default/configmaps" + path
	r, err := http.NewRequest(method, target, strings.NewReader(body))
	require.NoError(b, err)
	r.Header.Set("Content-Type", "application/json")
	answer, err := s.transport.RoundTrip(r)
	require.NoError(b, err)
	defer answer.Body.Close()
	require.Less(b, answer.StatusCode, 300)
}
