package claims

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// protobufStream is the media type of a watch in protobuf.
const protobufStream = "application/vnd.kubernetes.protobuf;stream=watch"

// "Each event is a JSON document on a line of its own": for a client that asks for JSON. A clientset asks for protobuf,
// where a frame has its length in front and no newline at its end.
//
// covers: B-05 C-14
func TestAClientsetWatchesInProtobuf(t *testing.T) {
	f := setup(t)
	f.create("a", nil)
	inJSON := f.get(t, f.HTTPClient(), f.path+"?watch=true&fieldSelector=metadata.name%3Da")
	first := make([]byte, 4)
	_, err := io.ReadFull(inJSON.Body, first)
	require.NoError(t, err)
	require.Equal(t, `{"ty`, string(first))

	inProtobuf := f.get(t, f.HTTPClient(), f.path+"?watch=true&fieldSelector=metadata.name%3Da",
		"Accept", protobufStream)
	require.Equal(t, protobufStream, inProtobuf.Header.Get("Content-Type"))
	_, err = io.ReadFull(inProtobuf.Body, first)
	require.NoError(t, err)
	frame := make([]byte, binary.BigEndian.Uint32(first))
	_, err = io.ReadFull(inProtobuf.Body, frame)
	require.NoError(t, err)
	require.Contains(t, string(frame), "ADDED")
	require.Contains(t, string(frame), "k8s\x00", "the object in it begins with a magic number of its own")
	require.False(t, bytes.HasSuffix(frame, []byte("\n")))
	_, err = watch.NewDecoder(io.MultiReader(bytes.NewReader(first), bytes.NewReader(frame))).Next()
	require.Error(t, err, "who reads it line by line reads nothing")

	seen := &recorder{}
	config := kube.RESTConfig(t, f.Cluster.Cluster)
	config.Wrap(seen.wrap)
	w, err := kube.Clientset(t, config).CoreV1().ConfigMaps(f.Namespace).Watch(t.Context(),
		metav1.ListOptions{FieldSelector: "metadata.name=a"})
	require.NoError(t, err)
	defer w.Stop()
	require.EqualValues(t, watch.Added, (<-w.ResultChan()).Type)
	require.Equal(t, []string{"application/vnd.kubernetes.protobuf,application/json"}, seen.accepts())
	require.Equal(t, []string{protobufStream}, seen.types())
}

// recorder is a RoundTripper that keeps what was asked for and what came.
type recorder struct {
	next        http.RoundTripper
	mu          sync.Mutex
	accept, got []string
}

func (r *recorder) wrap(next http.RoundTripper) http.RoundTripper {
	r.next = next
	return r
}

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.next.RoundTrip(req)
	if err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.accept = append(r.accept, req.Header.Get("Accept"))
		r.got = append(r.got, resp.Header.Get("Content-Type"))
	}
	return resp, err
}

// WrappedRoundTripper lets apimachinery reach the transport, to close its idle connections.
func (r *recorder) WrappedRoundTripper() http.RoundTripper { return r.next }

func (r *recorder) accepts() []string { r.mu.Lock(); defer r.mu.Unlock(); return r.accept }
func (r *recorder) types() []string   { r.mu.Lock(); defer r.mu.Unlock(); return r.got }

// The Accept header chooses among encodings and among shapes: a table for people, metadata alone for a client that
// needs no more.
//
// covers: C-14
func TestAcceptChooses(t *testing.T) {
	f := setup(t)
	f.create("a", nil)
	for accept, want := range map[string]struct {
		status int
		kind   string
	}{
		"application/json": {200, "ConfigMapList"},
		"application/json;as=Table;v=v1;g=meta.k8s.io":                     {200, "Table"},
		"application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io": {200, "PartialObjectMetadataList"},
		"application/vnd.kubernetes.protobuf, application/json;q=0.5":      {200, ""},
		"text/html": {406, "Status"},
	} {
		resp := f.get(t, f.HTTPClient(), f.path, "Accept", accept)
		require.Equal(t, want.status, resp.StatusCode, accept)
		if want.kind == "" {
			require.Equal(t, "application/vnd.kubernetes.protobuf", resp.Header.Get("Content-Type"))
		} else {
			require.Equal(t, want.kind, kindOf(t, resp.Body), accept)
		}
	}
}

// CBOR is behind a gate that is off.
//
// covers: C-14
func TestCBORIsRefused(t *testing.T) {
	testkit.Needs(t, testkit.MinorVersion)
	f := setup(t)
	require.Equal(t, 406, f.get(t, f.HTTPClient(), f.path, "Accept", "application/cbor").StatusCode)
}

// "The body of a watch is readable JSON lines": unless it is gzip, which a watch that begins with the initial events
// and takes bookmarks gets from whoever sends Accept-Encoding: gzip.
// net/http sends it by itself, and decompresses in silence.
//
// covers: B-105 C-46
func TestWhichWatchesAreCompressed(t *testing.T) {
	testkit.Needs(t, testkit.MinorVersion)
	f := setup(t)
	f.create("a", nil)
	const initial = "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
	for query, want := range map[string]string{
		"":                                    "",
		"&allowWatchBookmarks=true":           "gzip", // the server's default is sendInitialEvents=true
		initial:                               "",
		initial + "&allowWatchBookmarks=true": "gzip",
		"&allowWatchBookmarks=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan": "",
	} {
		resp := f.get(t, f.http2(t), f.path+"?watch=true"+query, "Accept-Encoding", "gzip")
		require.Equal(t, want, resp.Header.Get("Content-Encoding"), "watch=true%s", query)
		if want == "" {
			continue
		}
		require.NotContains(t, "{", first(t, resp.Body), "no readable line")
		unasked := f.get(t, f.http2(t), f.path+"?watch=true"+query)
		require.Empty(t, unasked.Header.Get("Content-Encoding"), "without the header it is not compressed")
		silent := f.get(t, f.HTTPClient(), f.path+"?watch=true"+query)
		require.True(t, silent.Uncompressed, "net/http asked for it, and undid it")
		event, err := watch.NewDecoder(silent.Body).Next()
		require.NoError(t, err)
		require.Equal(t, watch.Added, event.Type)
	}
}

func first(t *testing.T, r io.Reader) string {
	t.Helper()
	b := make([]byte, 1)
	_, err := io.ReadFull(r, b)
	require.NoError(t, err)
	return string(b)
}

// Each flush is a gzip member, whole by itself: an event can be read before the next one is written.
//
// covers: B-105
func TestEachFlushIsAGzipMember(t *testing.T) {
	testkit.Needs(t, testkit.MinorVersion)
	f := setup(t)
	f.create("a", nil)
	resp := f.get(t, f.http2(t), f.path+"?watch=true&allowWatchBookmarks=true", "Accept-Encoding", "gzip")
	body := bufio.NewReader(resp.Body) // a gzip.Reader reads no byte too many from a ByteReader
	members := new(gzip.Reader)
	for _, name := range []string{"a", "b", "c"} {
		if name != "a" {
			f.create(name, nil) // the member before is read by now
		}
		for { // bookmarks have members of their own
			require.NoError(t, members.Reset(body), "this waits for the next member")
			members.Multistream(false)
			member, err := io.ReadAll(members)
			require.NoError(t, err)
			if strings.Contains(string(member), `"name":"`+name+`"`) {
				break
			}
		}
	}
}

// A list is compressed by its size, from 128 KB on.
//
// covers: C-46
func TestALargeListIsCompressed(t *testing.T) {
	testkit.Needs(t, testkit.MinorVersion)
	f := setup(t)
	big := tea("big", nil)
	big["data"] = object{"x": strings.Repeat("x", 150_000)}
	f.Must(http.MethodPost, f.path, big, nil)
	require.Equal(t, "gzip", f.get(t, f.http2(t), f.path, "Accept-Encoding", "gzip").Header.Get("Content-Encoding"))
	require.Empty(t, f.get(t, f.http2(t), f.path+"?limit=1&fieldSelector=metadata.name%3Dnone",
		"Accept-Encoding", "gzip").
		Header.Get("Content-Encoding"))
}
