package claims

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// eventSink takes the events that a broadcaster writes, as an API server does.
type eventSink struct {
	record.EventSink
	answer func() error

	mu    sync.Mutex // guards what is below
	asked int
}

// Create implements record.EventSink.
func (s *eventSink) Create(e *corev1.Event) (*corev1.Event, error) {
	s.mu.Lock()
	s.asked++
	s.mu.Unlock()
	return e, s.answer()
}

// written has a controller tell of something n times, over a broadcaster whose requests are answered so, and gives the
// lines of the log. No two events are alike, or they would be counted in place of written.
func written(t *testing.T, answer func() error, n int, lasts time.Duration) (lines []string, asked int) {
	t.Helper()
	testkit.Bubble(t, func(t *testing.T) {
		log := opened.New()
		sink := &eventSink{answer: answer}
		b := record.NewBroadcaster(record.WithContext(klog.NewContext(t.Context(), log.Logger())),
			record.WithCorrelatorOptions(record.CorrelatorOptions{BurstSize: n + 1}))
		b.StartRecordingToSink(sink)
		r := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "mirror"}).WithLogger(log.Logger())
		for i := range n {
			r.Event(configMap("north", "menu"), corev1.EventTypeNormal, "Mirrored", strings.Repeat("again ", i))
		}
		pass(lasts)
		b.Shutdown()
		r.Event(configMap("north", "menu"), corev1.EventTypeNormal, "Late", "after the end")
		synctest.Wait()
		lines, asked = (&world{record: log}).log(), sink.asked
	})
	return lines, asked
}

// An event is written once: what the API server refuses is dropped, with a line in the log. What gets no answer is
// sent twelve times, two minutes in all, and other events wait meanwhile. After the end of the broadcaster, nothing is
// written.
func TestEventsThatAreNotWritten(t *testing.T) {
	late := "ERROR Unable to record event (will not retry!): broadcaster already stopped"
	lines, asked := written(t, func() error {
		return apierrors.NewForbidden(corev1.Resource("events"), "menu.1", errors.New("no"))
	}, 1, time.Hour)
	require.Equal(t, []string{`ERROR Server rejected event (will not retry!): events "menu.1" is forbidden: no`, late},
		lines)
	require.Equal(t, 1, asked)

	gone := errors.New("the network is gone")
	lines, asked = written(t, func() error { return gone }, 2, 50*time.Second)
	require.LessOrEqual(t, asked, 6+1, "one after the other, and the second perhaps once at the end")
	require.Equal(t, "ERROR Unable to write event (may retry after sleeping): the network is gone", lines[0])
	require.Contains(t, lines, "ERROR Unable to write event (broadcaster is shut down)")
	lines, asked = written(t, func() error { return gone }, 2, time.Hour)
	require.Equal(t, 2*12, asked)
	lines = slices.Compact(lines)
	require.Equal(t, []string{"ERROR Unable to write event (may retry after sleeping): the network is gone",
		"ERROR Unable to write event (retry limit exceeded!)"}, lines[:2])
}

// An event is about an object of a type that the scheme knows, and it is Normal or Warning. Any other is not written.
func TestEventsThatAreNone(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		log := opened.New()
		b := record.NewBroadcaster(record.WithContext(klog.NewContext(t.Context(), log.Logger())))
		r := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "mirror"}).WithLogger(log.Logger())
		r.Event(&v1alpha1.Process{}, corev1.EventTypeNormal, "Mirrored", "of a type without AddToScheme")
		r.Event(configMap("north", "menu"), "Error", "Mirrored", "of a third type")
		require.Equal(t, []string{"ERROR Could not construct reference, will not report event: no kind is registered " +
			`for the type v1alpha1.Process in scheme "` + scheme.Scheme.Name() + `"`, "ERROR Unsupported event type"},
			(&world{record: log}).log())
		b.Shutdown()
		synctest.Wait()
	})
}
