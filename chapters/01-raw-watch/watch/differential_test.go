package watch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	k8sjson "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	"k8s.io/apimachinery/pkg/util/framer"
	upstream "k8s.io/apimachinery/pkg/watch"
	restwatch "k8s.io/client-go/rest/watch"
	"pgregory.net/rapid"
)

// How a stream ended, as far as upstream lets its reader know. It says nothing of a cut: the channel closes as it does
// at a clean end, and a line goes to the log.
const (
	over    = "over"    // a clean end or a cut
	damaged = "damaged" // bytes that are no watch event
)

// outcome is what a reader learns of a stream.
type outcome struct {
	Events []string // type and object, byte for byte
	End    string
}

func ours(stream []byte) outcome {
	var o outcome
	for d := NewDecoder(bytes.NewReader(stream)); ; {
		e, err := d.Next()
		switch {
		case err == nil:
			o.Events = append(o.Events, fmt.Sprintf("%s %s", e.Type, e.Object))
			continue
		case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
			o.End = over
		default:
			o.End = damaged
		}
		return o
	}
}

// theirs reads the stream with what rest.Request.Watch puts together for JSON: framer, streaming decoder, rest/watch's
// Decoder, StreamWatcher. Only the innermost decoder is the test's, so that objects come out as they went in.
func theirs(stream []byte) outcome {
	o := outcome{End: over}
	w := upstream.NewStreamWatcher(restwatch.NewDecoder(
		streaming.NewDecoder(framer.NewJSONFramedReader(io.NopCloser(bytes.NewReader(stream))),
			eventSerializer()), asIs{}), reporter{})
	defer w.Stop()
	for e := range w.ResultChan() {
		if _, ok := e.Object.(*metav1.Status); ok { // the reporter's: the stream's own are runtime.Unknown
			o.End = damaged
			continue
		}
		o.Events = append(o.Events, fmt.Sprintf("%s %s", e.Type, e.Object.(*runtime.Unknown).Raw))
	}
	return o
}

func eventSerializer() runtime.Decoder {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	return k8sjson.NewSerializerWithOptions(k8sjson.DefaultMetaFactory, scheme, scheme, k8sjson.SerializerOptions{})
}

// asIs is an object decoder that decodes nothing.
type asIs struct{}

func (asIs) Decode(
	b []byte, _ *schema.GroupVersionKind, _ runtime.Object,
) (runtime.Object, *schema.GroupVersionKind, error) {
	if !bytes.HasPrefix(b, []byte("{")) {
		return nil, nil, errors.New("no object")
	}
	return &runtime.Unknown{Raw: bytes.Clone(b)}, nil, nil
}

// reporter is upstream's way to tell of damage: an event of the type Error.
type reporter struct{}

func (reporter) AsObject(err error) runtime.Object { return &metav1.Status{Message: err.Error()} }

// agreed says whether the two agree on what a stream means. They differ on purpose in documents with other keys than
// type and object, or with these keys twice or in capitals:
// ours ignores what it does not know, upstream looks for a kind.
func agreed(stream []byte) bool {
	for d := json.NewDecoder(bytes.NewReader(stream)); ; {
		var frame json.RawMessage
		if d.Decode(&frame) != nil {
			return true
		}
		var keys map[string]json.RawMessage
		if json.Unmarshal(frame, &keys) != nil {
			continue
		}
		for key := range keys {
			if key != "type" && key != "object" {
				return false
			}
		}
		in := json.NewDecoder(bytes.NewReader(frame))
		in.Token()
		for n := 0; in.More(); n++ {
			var value json.RawMessage
			if _, err := in.Token(); err != nil || in.Decode(&value) != nil || n == len(keys) {
				return false
			}
		}
	}
}

// FuzzDecoder feeds the same bytes to ours and to upstream's StreamWatcher. The streams below are its first inputs.
//
//	go test -fuzz FuzzDecoder -fuzztime 30s ./chapters/01-raw-watch/watch
func FuzzDecoder(f *testing.F) {
	whole := line(Added, "a") + line(Modified, "a") + line(Deleted, "a") + line(Bookmark, "")
	for _, seed := range []string{
		whole, whole[:len(whole)/2], strings.ReplaceAll(whole, "\n", ""), " \r\n\t" + whole + "\n\n", "",
		`{"type":"ERROR","object":{"kind":"Status","code":410}}` + "\n" + whole, `{"type":"NONE","object":{}}`,
		`{"type":"ADDED","object":null}`, `{"type":"ADDED"}`, `{"object":{}}`, "null", "1 2 3",
		`{"type":"ADDED","object":{}} x`,
		`{"object":{"a":"} \" {"},"type":"ADDED"}`, "{\"type\":\"ADDED\",\"object\":{\"\xff\":\"\\ud800\"}}", "]", "{",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		if agreed(stream) {
			require.Equal(t, theirs(stream), ours(stream))
		} else {
			ours(stream) // it must not panic, whatever comes
		}
	})
}

// The same comparison on streams that a server could have sent, with one fault in them.
func TestSameAsStreamWatcher(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		types := rapid.SampledFrom([]EventType{Added, Modified, Deleted, Bookmark, Error, "added", ""})
		objects := rapid.SampledFrom([]string{`{"metadata":{"name":"a"}}`, `{}`,
			`{"a":[1,{"b":"\n{"}]}`, `null`, `"a"`})
		space := rapid.SampledFrom([]string{"\n", "", " ", "\r\n\t", "\n\n"})
		var stream []byte
		for range rapid.IntRange(0, 6).Draw(t, "events") {
			e := fmt.Appendf(nil, `{"type":%q,"object":%s}`, types.Draw(t, "type"), objects.Draw(t, "object"))
			stream = append(append(stream, e...), space.Draw(t, "space")...)
		}
		stream = stream[:rapid.IntRange(0, len(stream)).Draw(t, "cut")]
		if len(stream) > 0 && rapid.Bool().Draw(t, "damage") {
			stream[rapid.IntRange(0, len(stream)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		if agreed(stream) {
			require.Equal(t, theirs(stream), ours(stream), "%q", stream)
		}
	})
}
