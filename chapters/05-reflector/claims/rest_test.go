package claims

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	clientrest "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// wire is a transport that answers each request by what its number, from 1 on, says, and remembers the requests. It
// lives in a bubble.
type wire struct {
	answer func(n int) (io.Reader, error)
	start  time.Time

	mu    sync.Mutex
	asked []string
	at    []time.Duration
}

// RoundTrip implements http.RoundTripper.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	kind := "LIST"
	switch q := r.URL.Query(); {
	case q.Get("sendInitialEvents") != "":
		kind = "STREAM"
	case q.Get("watch") != "":
		kind = "WATCH"
	}
	w.asked = append(w.asked, fmt.Sprintf("%s %q", kind, r.URL.Query().Get("resourceVersion")))
	w.at = append(w.at, time.Since(w.start))
	n := len(w.asked)
	w.mu.Unlock()
	body, err := w.answer(n)
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: &stream{body, r.Context()}, Request: r}, nil
}

// stream is a body that stays open at its end, until the request's context ends, if it does not end with an error.
type stream struct {
	io.Reader
	ctx context.Context
}

func (s *stream) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != io.EOF {
		return n, err
	}
	<-s.ctx.Done()
	return n, s.ctx.Err()
}

func (s *stream) Close() error { return nil }

// initial is a streaming list of one object, as far as its end.
const initial = `{"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1",` +
	`"metadata":{"name":"a","resourceVersion":"1"}}}` + "\n" +
	`{"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"5",` +
	`"annotations":{"k8s.io/initial-events-end":"true"}}}}` + "\n"

// change is an event that follows.
const change = `{"type":"MODIFIED","object":{"kind":"ConfigMap","apiVersion":"v1",` +
	`"metadata":{"name":"a","resourceVersion":"6"}}}` + "\n"

// failing is a body that ends with an error.
func failing(text string, err error) io.Reader {
	return io.MultiReader(strings.NewReader(text), errorReader{err})
}

type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) { return 0, r.err }

// overTheWire runs both reflectors, one after the other, for a time each, over a REST client that repeats a request as
// often as retries says, and hands the requests of each to check.
func overTheWire(t *testing.T, retries int, lasting time.Duration, answer func(n int) (io.Reader, error),
	check func(t *testing.T, w *wire)) {
	t.Helper()
	for who, run := range map[string]func(context.Context, cache.ListerWatcher){
		"ours": func(ctx context.Context, lw cache.ListerWatcher) {
			reflector.New(lw, &corev1.ConfigMap{}, &mutators{}, reflector.Options{}).RunWithContext(ctx)
		},
		"upstream": func(ctx context.Context, lw cache.ListerWatcher) {
			cache.NewReflector(lw, &corev1.ConfigMap{}, &mutators{}, 0).RunWithContext(ctx)
		},
	} {
		t.Run(who, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				w := &wire{answer: answer, start: time.Now()}
				set, err := kubernetes.NewForConfigAndClient(&clientrest.Config{Host: "http://server", QPS: -1,
					ContentConfig: clientrest.ContentConfig{ContentType: runtime.ContentTypeJSON}},
					&http.Client{Transport: w})
				require.NoError(t, err)
				get := func(o metav1.ListOptions) *clientrest.Request {
					return set.CoreV1().RESTClient().Get().Namespace("default").Resource("configmaps").
						VersionedParams(&o, scheme.ParameterCodec).MaxRetries(retries)
				}
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan struct{})
				go func() {
					defer close(done)
					run(ctx, &cache.ListWatch{
						ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
							return get(o).Do(ctx).Get()
						},
						WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
							o.Watch = true
							return get(o).Watch(ctx)
						},
					})
				}()
				time.Sleep(lasting)
				synctest.Wait()
				cancel()
				<-done
				check(t, w)
			})
		})
	}
}

// byDefault is how often client-go's REST client repeats a request.
const byDefault = 10

// A connection that is lost before an answer is no failure that a reflector hears of: the REST client repeats the
// request after a second, ten times. Then it returns an empty watch. But the reflector has counted from the request, so
// that this watch is ten seconds old, and ends in good order: the next begins at the last version. Only a client that
// is told to repeat nothing returns it within a second, which costs all objects.
//
// covers: B-19
func TestAConnectionLostBeforeAnAnswer(t *testing.T) {
	lost := func(until int) func(n int) (io.Reader, error) {
		return func(n int) (io.Reader, error) {
			switch {
			case n == 1: // its connection ends after an event
				return failing(initial+change, io.ErrUnexpectedEOF), nil
			case n <= until:
				return nil, io.EOF
			case n == until+1:
				return strings.NewReader(initial), nil
			}
			return nil, fmt.Errorf("%d requests", n)
		}
	}
	watches := func(n int) []string { return slices.Repeat([]string{`WATCH "6"`}, n) }
	t.Run("once", func(t *testing.T) {
		overTheWire(t, byDefault, time.Minute, lost(2), func(t *testing.T, w *wire) {
			require.Equal(t, watches(2), w.asked[1:])
			require.Equal(t, time.Second, w.at[2]-w.at[1])
		})
	})
	t.Run("for a minute", func(t *testing.T) {
		overTheWire(t, byDefault, 2*time.Minute, lost(60), func(t *testing.T, w *wire) {
			require.Equal(t, watches(60), w.asked[1:], "a streaming list or a list would be another request")
			require.Zero(t, w.at[12]-w.at[11], "after eleven requests another watch, at once")
		})
	})
	t.Run("once, and nothing is repeated", func(t *testing.T) {
		overTheWire(t, 0, time.Minute, lost(2), func(t *testing.T, w *wire) {
			require.Equal(t, []string{`WATCH "6"`, `STREAM "6"`}, w.asked[1:])
		})
	})
}

// A connection over HTTP/2 on which nothing comes for 30 s is asked for a sign of life, and given up 15 s later. What
// the watch then reads is an error that is not one of those that count as an end. It becomes an ERROR event with the
// code 500, and all objects are asked for.
//
// covers: B-19
func TestAConnectionThatHTTP2GivesUp(t *testing.T) {
	overTheWire(t, byDefault, time.Minute, func(n int) (io.Reader, error) {
		if n == 1 {
			return failing(initial+change, errors.New("http2: client connection lost")), nil
		}
		return strings.NewReader(initial), nil
	}, func(t *testing.T, w *wire) {
		require.Equal(t, []string{`STREAM ""`, `STREAM "6"`}, w.asked)
	})
}
