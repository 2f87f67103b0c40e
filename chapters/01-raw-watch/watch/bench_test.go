package watch

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	"k8s.io/apimachinery/pkg/util/framer"
	upstream "k8s.io/apimachinery/pkg/watch"
	restwatch "k8s.io/client-go/rest/watch"
)

// From bytes to events, side by side. `raw` stops at the object's JSON, `typed` decodes it into a corev1.ConfigMap as
// an informer needs it; upstream is the same pipeline as in differential_test.go, with the object decoder of a
// clientset. The size is that of an event.
//
//	make bench CH=01
func BenchmarkStream(b *testing.B) {
	const events = 1000
	for _, size := range []struct {
		name string
		data int
	}{{"270B", 100}, {"10kB", 10_000}} {
		stream := []byte(strings.Repeat(line(Modified, "a", `,"annotations":{"x":"`,
			strings.Repeat("x", size.data), `"}`), events))
		for _, c := range []struct {
			decode, impl string
			read         func([]byte) int
		}{
			{"raw", "ours", oursRaw}, {"raw", "upstream", upstreamRaw},
			{"typed", "ours", oursTyped}, {"typed", "upstream", upstreamTyped},
		} {
			b.Run("size="+size.name+"/decode="+c.decode+"/impl="+c.impl, func(b *testing.B) {
				b.SetBytes(int64(len(stream)))
				b.ReportAllocs()
				for b.Loop() {
					if n := c.read(stream); n != events {
						b.Fatalf("%d events, not %d", n, events)
					}
				}
				b.ReportMetric(float64(b.N)*events/b.Elapsed().Seconds(), "events/s")
			})
		}
	}
}

func oursRaw(stream []byte) (n int) {
	for d := NewDecoder(bytes.NewReader(stream)); ; n++ {
		if _, err := d.Next(); err != nil {
			return n
		}
	}
}

func oursTyped(stream []byte) (n int) {
	for d := NewDecoder(bytes.NewReader(stream)); ; n++ {
		e, err := d.Next()
		if err != nil {
			return n
		}
		if json.Unmarshal(e.Object, new(corev1.ConfigMap)) != nil {
			return -1
		}
	}
}

func upstreamRaw(stream []byte) int { return count(stream, asIs{}) }

func upstreamTyped(stream []byte) int {
	scheme := runtime.NewScheme()
	if corev1.AddToScheme(scheme) != nil {
		return -1
	}
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	return count(stream, serializer.NewCodecFactory(scheme).WithoutConversion().DecoderToVersion(
		serializer.NewCodecFactory(scheme).UniversalDeserializer(), corev1.SchemeGroupVersion))
}

func count(stream []byte, object runtime.Decoder) (n int) {
	frames := framer.NewJSONFramedReader(io.NopCloser(bytes.NewReader(stream)))
	w := upstream.NewStreamWatcher(restwatch.NewDecoder(streaming.NewDecoder(frames, eventSerializer()), object),
		reporter{})
	defer w.Stop()
	for range w.ResultChan() {
		n++
	}
	return n
}
