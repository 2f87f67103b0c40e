package claims

import (
	"io"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// mutators are the five methods that a reflector calls. Nothing here can be read.
type mutators struct{ calls []string }

func (m *mutators) Add(any) error               { m.calls = append(m.calls, "Add"); return nil }
func (m *mutators) Update(any) error            { m.calls = append(m.calls, "Update"); return nil }
func (m *mutators) Delete(any) error            { m.calls = append(m.calls, "Delete"); return nil }
func (m *mutators) Replace([]any, string) error { m.calls = append(m.calls, "Replace"); return nil }
func (m *mutators) Resync() error               { m.calls = append(m.calls, "Resync"); return nil }

// A reflector takes a list and a watch, wherever they come from, and writes to what has five methods. There is no queue
// in it, and no way to read: neither a DeltaFIFO nor a Store is needed.
//
// covers: S1-02 S1-03 S4-26
func TestAReflectorNeedsAListAWatchAndFiveMethods(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		source := newSource(
			events(added("a", "1"), initialEnd("1"), added("b", "2"), modified("a", "3"), deleted("b", "4")),
		)
		store := &mutators{}
		_, isStore := any(store).(cache.Store)
		require.False(t, isStore)
		_, isQueue := any(store).(cache.Queue)
		require.False(t, isQueue)
		stop := source.run(t, cache.NewReflector(source, &corev1.ConfigMap{}, store, 0))
		stop()
		require.Equal(t, []string{"Replace", "Add", "Update", "Delete"}, store.calls)
	})
}

// forward is what a text shows as the reader of a watch: it decodes and sends, in a goroutine of its own. Nothing tells
// it that nobody receives any more.
func forward(decode watch.Decoder, result chan<- watch.Event) {
	defer close(result)
	for {
		kind, object, err := decode.Decode()
		if err != nil {
			return
		}
		result <- watch.Event{Type: kind, Object: object}
	}
}

// Somebody takes one event of a watch, and goes away. The goroutine that such texts show waits for ever, with the
// connection that it reads. client-go's looks at Stop while it sends: were it left, so would this bubble say.
//
// covers: B-22
func TestAStoppedWatchLeavesNoGoroutine(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		naive := make(chan watch.Event)
		go forward(&twice{}, naive)
		<-naive
		synctest.Wait()
		select {
		case <-naive: // it still sends, now that somebody receives
		default:
			t.Fatal("the goroutine does not wait any more, and the claim would be right")
		}
		_, open := <-naive
		require.False(t, open)

		w := watch.NewStreamWatcher(&twice{}, nil)
		<-w.ResultChan()
		w.Stop()
	})
}

// twice is a watch.Decoder of two events.
type twice struct{ decoded int }

func (d *twice) Decode() (watch.EventType, runtime.Object, error) {
	if d.decoded++; d.decoded > 2 {
		return "", nil, io.EOF
	}
	return watch.Added, configMap("a", "1"), nil
}

func (d *twice) Close() {}

func configMap(name, version string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", ResourceVersion: version}}
}
