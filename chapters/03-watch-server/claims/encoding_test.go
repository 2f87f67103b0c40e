package claims

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"pgregory.net/rapid"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

const (
	asJSON     = runtime.ContentTypeJSON
	asProtobuf = runtime.ContentTypeProtobuf
)

// accepted is a clause of an Accept header.
type accepted struct {
	media, parameters string
	weight            int // in tenths; -1: none is said
}

func (a accepted) String() string {
	if a.weight < 0 {
		return a.media + a.parameters
	}
	return fmt.Sprintf("%s%s;q=%.1f", a.media, a.parameters, float64(a.weight)/10)
}

var anyAccepted = rapid.Custom(func(t *rapid.T) accepted {
	media := []string{asJSON, asJSON, asProtobuf, asProtobuf, "text/html", "application/*", "*/*"}
	a := accepted{media: rapid.SampledFrom(media).Draw(t, "media"),
		weight: rapid.SampledFrom([]int{-1, -1, 0, 1, 5, 10}).Draw(t, "weight")}
	if !strings.Contains(a.media, "*") {
		a.parameters = rapid.SampledFrom([]string{"", "", "", ";stream=watch", ";stream=other", ";charset=utf-8",
			";as=Nothing;v=v1;g=meta.k8s.io"}).Draw(t, "parameters")
	}
	return a
})

// ordered says that no star outweighs what has fewer of them.
func ordered(all []accepted) bool {
	weight := func(a accepted) int { return (a.weight + 11) % 11 } // none is ten
	for _, a := range all {
		for _, b := range all {
			if strings.Count(a.media, "*") < strings.Count(b.media, "*") && weight(a) < weight(b) {
				return false
			}
		}
	}
	return true
}

// TestAcceptIsReadAsUpstreamReadsIt sends Accept headers to both servers, those of a table and random ones. A weight is
// an order and no refusal: what has the weight 0 is sent where there is nothing better. What a star outweighs is
// another matter: there upstream's order is none, and the clause that stands first may win or lose.
//
// covers: C-55
func TestAcceptIsReadAsUpstreamReadsIt(t *testing.T) {
	ours, real := ours(t, storage.Options{}), upstream(t)
	answer := func(s side, accept string) string {
		response, _ := cluster.Do(t, s.http, http.MethodGet, s.collection(), nil, "Accept: "+accept)
		return fmt.Sprint(response.StatusCode, " ", response.Header.Get("Content-Type"))
	}
	table := ";as=Table;v=v1;g=meta.k8s.io"
	for _, c := range []struct{ accept, ours, real string }{
		{asJSON + ";q=0", "200 " + asJSON, ""},
		{asJSON + ";q=0, " + asProtobuf + ";q=0.1", "200 " + asProtobuf, ""},
		{"*/*;q=0.1, " + asProtobuf, "200 " + asProtobuf, ""},
		{"text/html", "406 " + asJSON, ""},
		{"application/*", "406 " + asJSON, ""},
		{"application/*;q=0.1, " + asProtobuf, "200 " + asProtobuf, ""},
		{asProtobuf + table, "406 " + asJSON, ""},
		{asJSON + table, "406 " + asJSON, "200 " + asJSON},
		{"application/yaml", "406 " + asJSON, "200 application/yaml"},
		{"*/*, " + asProtobuf + ";q=0.1", "200 " + asJSON, "200 " + asProtobuf},
		{asProtobuf + ";q=0.1, */*", "200 " + asJSON, ""},
	} {
		if c.real == "" {
			c.real = c.ours
		}
		assert.Equal(t, c.ours, answer(ours, c.accept), "ours, Accept: %s", c.accept)
		assert.Equal(t, c.real, answer(real, c.accept), "kube-apiserver, Accept: %s", c.accept)
	}
	rapid.Check(t, func(t *rapid.T) {
		var header []string
		for _, a := range rapid.SliceOfN(anyAccepted, 1, 4).Filter(ordered).Draw(t, "accept") {
			header = append(header, a.String())
		}
		accept := strings.Join(header, ",")
		require.Equal(t, answer(real, accept), answer(ours, accept), "Accept: %s", accept)
	})
}

// inJSON turns what a client got in protobuf into what it would have got in JSON: a document, or the lines of a stream.
func inJSON(t testing.TB, media string, body []byte) []byte {
	t.Helper()
	document := func(raw []byte) []byte {
		o, _, err := scheme.Codecs.UniversalDeserializer().Decode(raw, nil, nil)
		require.NoError(t, err)
		encoded, err := json.Marshal(o)
		require.NoError(t, err)
		return encoded
	}
	switch media {
	case asProtobuf:
		return document(body)
	case asProtobuf + ";stream=watch":
	default:
		require.Fail(t, "not what was asked for", "%s: %s", media, body)
	}
	var lines bytes.Buffer
	for len(body) > 0 {
		end := 4 + binary.BigEndian.Uint32(body)
		var event metav1.WatchEvent
		require.NoError(t, event.Unmarshal(body[4:end]))
		fmt.Fprintf(&lines, `{"type":%q,"object":%s}`+"\n", event.Type, document(event.Object.Raw))
		body = body[end:]
	}
	return lines.Bytes()
}

// recorder is a RoundTripper that keeps the media types of what came.
type recorder struct {
	next http.RoundTripper
	mu   sync.Mutex
	got  []string
}

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := r.next.RoundTrip(request)
	if err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.got = append(r.got, response.Header.Get("Content-Type"))
	}
	return response, err
}

// WrappedRoundTripper lets apimachinery reach the transport, to close its idle connections.
func (r *recorder) WrappedRoundTripper() http.RoundTripper { return r.next }

// TestClientsetReadsProtobuf: a typed client gets protobuf whatever it does, refusals and streams too.
func TestClientsetReadsProtobuf(t *testing.T) {
	onBoth(t, func(t *testing.T, s side) {
		seen := &recorder{}
		config := rest.CopyConfig(s.config)
		config.Wrap(func(next http.RoundTripper) http.RoundTripper { seen.next = next; return seen })
		s.config = config
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		maps := s.clientset(t).CoreV1().ConfigMaps(s.namespace)
		made, err := maps.Create(ctx, configMap("a", "1"), metav1.CreateOptions{})
		require.NoError(t, err)
		_, err = maps.Create(ctx, configMap("a", "1"), metav1.CreateOptions{})
		require.ErrorContains(t, err, `configmaps "a" already exists`)
		list, err := maps.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=a"})
		require.NoError(t, err)
		require.Len(t, list.Items, 1)
		made.TypeMeta = metav1.TypeMeta{}
		list.Items[0].TypeMeta = metav1.TypeMeta{}
		assert.Equal(t, *made, list.Items[0])
		w, err := maps.Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=a"})
		require.NoError(t, err)
		defer w.Stop()
		assert.EqualValues(t, "ADDED", (<-w.ResultChan()).Type)
		require.NoError(t, maps.Delete(ctx, "a", metav1.DeleteOptions{}))
		assert.EqualValues(t, "DELETED", (<-w.ResultChan()).Type)
		seen.mu.Lock()
		defer seen.mu.Unlock()
		assert.Equal(t, []string{asProtobuf, asProtobuf, asProtobuf, asProtobuf + ";stream=watch", asProtobuf},
			seen.got)
	})
}
