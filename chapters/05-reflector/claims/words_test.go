package claims

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	typed "k8s.io/client-go/kubernetes/typed/core/v1"
	clientrest "k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/klog/v2"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// unfit is an object that no ConfigMap of Go can hold: data has texts by name.
const unfit = `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"b","resourceVersion":"7"},"data":{"size":5}}`

// An object that does not fit its Go type stops an informer of the kind, whichever objects there are beside it. The
// event ends the watch with an ERROR of the code 500, and all objects are asked for. If it is one of them, neither a
// streaming list nor a list comes to an end.
//
// covers: B-19
func TestAnObjectThatDoesNotFitItsType(t *testing.T) {
	overTheWire(t, byDefault, time.Minute, func(n int) (io.Reader, error) {
		if n == 1 {
			return strings.NewReader(initial + `{"type":"ADDED","object":` + unfit + `}` + "\n"), nil
		}
		return strings.NewReader(initial), nil
	}, func(t *testing.T, w *wire) {
		require.Equal(t, []string{`STREAM ""`, `STREAM "5"`}, w.asked)
	})
	t.Run("what the client says", func(t *testing.T) {
		testkit.Bubble(t, func(t *testing.T) {
			maps := limited(t, -1, func(r *http.Request) string {
				if r.URL.Query().Get("watch") != "" {
					return `{"type":"ADDED","object":` + unfit + `}` + "\n"
				}
				return `{"kind":"ConfigMapList","apiVersion":"v1","items":[` + unfit + `]}`
			})
			events, err := maps.Watch(t.Context(), metav1.ListOptions{})
			require.NoError(t, err)
			defer events.Stop()
			event := <-events.ResultChan()
			require.Equal(t, watch.Error, event.Type)
			status := event.Object.(*metav1.Status)
			require.EqualValues(t, http.StatusInternalServerError, status.Code)
			require.Contains(t, status.Message, "unable to decode an event from the watch stream: "+
				"unable to decode watch event: "+
				"json: cannot unmarshal number into Go struct field ConfigMap.data of type string")
			_, err = maps.List(t.Context(), metav1.ListOptions{})
			require.ErrorContains(t, err,
				"json: cannot unmarshal number into Go struct field ConfigMap.items.data of type string")
		})
	})
}

// answers is a transport whose answers are whole.
type answers func(r *http.Request) string

// RoundTrip implements http.RoundTripper.
func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(a(r))), Request: r}, nil
}

// limited is a client for ConfigMaps that sends this many requests a second, or if that is below 0, as many as it is
// asked for.
func limited(t *testing.T, perSecond float32, answer answers) typed.ConfigMapInterface {
	t.Helper()
	config := &clientrest.Config{Host: "http://server", QPS: -1,
		ContentConfig: clientrest.ContentConfig{ContentType: runtime.ContentTypeJSON}}
	if perSecond > 0 {
		config.RateLimiter = flowcontrol.NewTokenBucketRateLimiter(perSecond, 1)
	}
	set, err := kubernetes.NewForConfigAndClient(config, &http.Client{Transport: answer})
	require.NoError(t, err)
	return set.CoreV1().ConfigMaps("default")
}

// A client that waits for its own limit says so in its log: from -v=3 on each time that a request has waited longer
// than 50 ms. If it has waited longer than a second, a client without -v says so as well, once in ten seconds at most,
// and one with -v=2 once in a second.
func TestAClientThatLimitsItselfSaysSo(t *testing.T) {
	for _, verbosity := range []int{0, 3} {
		testkit.Bubble(t, func(t *testing.T) {
			// The logger that tells it once in ten seconds is one for the process, and bubbles begin at the same time.
			time.Sleep(time.Duration(bubbles.Add(1)) * time.Minute)
			start, at := time.Now(), []time.Duration{}
			maps := limited(t, 0.5, func(*http.Request) string {
				at = append(at, time.Since(start))
				return `{"kind":"ConfigMapList","apiVersion":"v1","items":[]}`
			})
			var log bytes.Buffer
			logger := funcr.New(func(_, args string) { log.WriteString(args + "\n") },
				funcr.Options{Verbosity: verbosity})
			ctx := klog.NewContext(t.Context(), logger)
			for range 3 {
				_, err := maps.List(ctx, metav1.ListOptions{})
				require.NoError(t, err)
			}
			require.Equal(t, []time.Duration{0, 2 * time.Second, 4 * time.Second}, at)
			levels := map[string]int{}
			for line := range strings.Lines(log.String()) {
				require.Contains(t, line, `"msg"="Waited before sending request"`)
				require.Contains(t, line, `"reason"="client-side throttling, not priority and fairness"`)
				level, _, _ := strings.Cut(line, " ")
				levels[level]++
			}
			want := map[int]map[string]int{0: {`"level"=0`: 1}, 3: {`"level"=2`: 2, `"level"=3`: 2}}
			require.Equal(t, want[verbosity], levels)
		})
	}
}

var bubbles atomic.Int32
