package apiserver

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

const acceptProtobuf = "Accept: " + runtime.ContentTypeProtobuf

// codecs are what a client has.
var codecs = New(storage.New(storage.Options{}), Options{}, ConfigMaps).codecs

// read decodes a document by its envelope.
func read(t *testing.T, document []byte) runtime.Object {
	t.Helper()
	require.Equal(t, "k8s\x00", string(document[:min(4, len(document))]))
	o, _, err := codecs.UniversalDeserializer().Decode(document, nil, nil)
	require.NoError(t, err)
	return o
}

// TestDocumentsInProtobuf: objects, lists and refusals are what they are in JSON.
func TestDocumentsInProtobuf(t *testing.T) {
	bubble(t, Options{}, storage.Options{}, func(t *testing.T, s *running) {
		ask := func(code int, method, url, body string) runtime.Object {
			t.Helper()
			response, raw := cluster.Do(t, s.client, method, "http://server"+url, body, acceptProtobuf)
			require.Equal(t, code, response.StatusCode, "%s", raw)
			require.Equal(t, runtime.ContentTypeProtobuf, response.Header.Get("Content-Type"))
			return read(t, raw)
		}
		body := `{"metadata":{"name":"a","labels":{"x":"1"}},"data":{"value":"1"}}`
		made := ask(201, "POST", path, body).(*corev1.ConfigMap)
		assert.Equal(t, "1", made.Data["value"])
		assert.Equal(t, "2", made.ResourceVersion)
		assert.NotEmpty(t, made.UID)
		assert.Equal(t, made, ask(200, "GET", path+"/a", ""))
		s.put("b", "1")
		list := ask(200, "GET", path+"?labelSelector=x", "").(*corev1.ConfigMapList)
		assert.Equal(t, "3", list.ResourceVersion)
		require.Len(t, list.Items, 1)
		assert.Equal(t, made.ObjectMeta, list.Items[0].ObjectMeta)
		assert.Equal(t, metav1.StatusReasonNotFound, ask(404, "GET", path+"/none", "").(*metav1.Status).Reason)
		assert.Equal(t, metav1.StatusReasonBadRequest,
			ask(400, "GET", path+"?watch=true&fieldSelector=data.x=1", "").(*metav1.Status).Reason)
		assert.Equal(t, metav1.StatusSuccess, ask(200, "DELETE", path+"/a", "").(*metav1.Status).Status)
		assert.Len(t, ask(200, "DELETE", path, "").(*corev1.ConfigMapList).Items, 1)
	})
}

// frame reads an event of a stream in protobuf.
func frame(t *testing.T, stream io.Reader) (kind string, object runtime.Object) {
	t.Helper()
	var length [4]byte
	_, err := io.ReadFull(stream, length[:])
	require.NoError(t, err)
	encoded := make([]byte, binary.BigEndian.Uint32(length[:]))
	_, err = io.ReadFull(stream, encoded)
	require.NoError(t, err)
	var event metav1.WatchEvent
	require.NoError(t, event.Unmarshal(encoded))
	return event.Type, read(t, event.Object.Raw)
}

// TestStreamInProtobuf: its header comes before anything happens, each event as soon as it does, and at the end a
// refusal.
func TestStreamInProtobuf(t *testing.T) {
	bubble(t, Options{}, storage.Options{History: 2}, func(t *testing.T, s *running) {
		open := func(query string) io.Reader {
			t.Helper()
			response := cluster.Open(t, s.client, "GET", "http://server"+path+"?watch=true"+query, nil, acceptProtobuf)
			require.Equal(t, runtime.ContentTypeProtobuf+";stream=watch", response.Header.Get("Content-Type"))
			s.bodies = append(s.bodies, response.Body)
			return response.Body
		}
		stream := open("&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan")
		kind, object := frame(t, stream)
		assert.Equal(t, "BOOKMARK", kind)
		assert.Equal(t, "true", object.(*corev1.ConfigMap).Annotations[metav1.InitialEventsAnnotationKey])
		begin := time.Now()
		for i, want := range []string{"ADDED", "MODIFIED", "MODIFIED", "MODIFIED"} {
			s.put("a", fmt.Sprint(i))
			kind, object = frame(t, stream)
			assert.Equal(t, want, kind)
			assert.Equal(t, fmt.Sprint(i), object.(*corev1.ConfigMap).Data["value"])
		}
		assert.Zero(t, time.Since(begin), "nothing waited for anything")
		expired := open("&resourceVersion=2")
		kind, object = frame(t, expired)
		assert.Equal(t, "ERROR", kind)
		assert.EqualValues(t, 410, object.(*metav1.Status).Code)
		rest, err := io.ReadAll(expired)
		require.NoError(t, err)
		assert.Empty(t, rest, "the stream ends after an ERROR")
	})
}

// TestWhatDoesNotFit is refused when it is written. What got into the store in another way is an error for whoever
// asks for it in protobuf, and ends a stream; nobody waits for it.
func TestWhatDoesNotFit(t *testing.T) {
	bubble(t, Options{}, storage.Options{}, func(t *testing.T, s *running) {
		s.put("a", "1")
		code, answer := s.do("PUT", path+"/a", `{"metadata":{"name":"a"},"data":{"value":1}}`)
		assert.Equal(t, 400, code)
		assert.Contains(t, answer["message"], `ConfigMap in version "v1" cannot be handled as a ConfigMap`)
		code, answer = s.do("PATCH", path+"/a", `{"data":{"value":1}}`, "Content-Type: application/merge-patch+json")
		assert.Equal(t, 422, code)
		assert.Contains(t, answer["message"], "patch: Invalid value")
		code, _ = s.do("POST", path, `{"metadata":{"name":"b","labels":{"x":1}}}`)
		assert.Equal(t, 400, code)

		stream := cluster.Open(t, s.client, "GET", "http://server"+path+"?watch=true", nil, acceptProtobuf)
		s.bodies = append(s.bodies, stream.Body)
		kind, _ := frame(t, stream.Body)
		assert.Equal(t, "ADDED", kind)
		_, err := s.store.Create(ConfigMaps.key("n", "b"), object{"kind": "ConfigMap", "apiVersion": "v1",
			"metadata": object{"name": "b", "namespace": "n"}, "data": object{"value": 1}})
		require.NoError(t, err)
		rest, err := io.ReadAll(stream.Body)
		require.NoError(t, err)
		assert.Empty(t, rest)
		for _, url := range []string{path, path + "/b"} {
			response, raw := cluster.Do(t, s.client, "GET", "http://server"+url, nil, acceptProtobuf)
			assert.Equal(t, 500, response.StatusCode)
			var refusal metav1.Status
			require.NoError(t, json.Unmarshal(raw, &refusal), "%s", raw)
			assert.Contains(t, refusal.Message, "cannot unmarshal number")
		}
		code, _ = s.do("GET", path+"/b", "")
		assert.Equal(t, 200, code, "in JSON it is what it is")
	})
}

// A client that stops reading is cut off in protobuf, too: the deadline of a write reaches the connection.
func TestSlowClientOfProtobuf(t *testing.T) {
	bubble(t, Options{WriteTimeout: 10 * time.Second}, storage.Options{Buffer: 5}, func(t *testing.T, s *running) {
		slow := cluster.Open(t, s.client, "GET", "http://server"+path+"?watch=true&resourceVersion=1", nil,
			acceptProtobuf)
		s.bodies = append(s.bodies, slow.Body)
		for i := range 200 { // more than the buffers between the store and the client hold
			s.put("a", fmt.Sprint(i)+strings.Repeat("x", 1000))
			synctest.Wait()
		}
		assert.Zero(t, s.store.Watchers(), "it is evicted")
		time.Sleep(11 * time.Second)
		synctest.Wait()
		_, err := io.ReadAll(slow.Body)
		assert.Error(t, err, "cut off, and not ended")
	})
}
