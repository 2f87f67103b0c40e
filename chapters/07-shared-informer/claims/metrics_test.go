package claims

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// meter keeps the last value of each metric, and how many came.
type meter struct {
	mu     sync.Mutex
	last   map[string]float64
	counts map[string]int
}

// series is one metric of a meter.
type series struct {
	*meter
	name string
}

func (s series) Set(value float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last[s.name] = value
	s.counts[s.name]++
}
func (s series) Observe(value float64) { s.Set(value) }

func (m *meter) NewQueuedItemMetric(id cache.InformerNameAndResource) cache.GaugeMetric {
	return series{m, "queued " + id.Name() + " " + id.GroupVersionResource().Resource}
}
func (m *meter) NewProcessingLatencyMetric(id cache.InformerNameAndResource) cache.HistogramMetric {
	return series{m, "latency " + id.Name()}
}
func (m *meter) NewStoreResourceVersionMetric(id cache.InformerNameAndResource) cache.GaugeMetric {
	return series{m, "version " + id.Name()}
}

// An informer that is given a name and a provider has three metrics: what waits in its queue, how long processing
// takes, and the version of its store, which a bookmark moves as well. Without a name there is none. A name is taken
// once in a program until it is released, and a resource once in a name. None of them counts what waits for a
// handler.
//
// covers: C-11
func TestAnInformerWithANameHasMetrics(t *testing.T) {
	name, err := cache.NewInformerName("tour")
	require.NoError(t, err)
	defer name.Release()
	_, err = cache.NewInformerName("tour")
	require.EqualError(t, err, `informer name "tour" is already registered`)
	configMaps := corev1.SchemeGroupVersion.WithResource("configmaps")
	id := name.WithResource(configMaps)
	require.True(t, id.Reserved())
	require.False(t, name.WithResource(configMaps).Reserved(), "a second informer of the resource has no metrics")
	for _, id := range []cache.InformerNameAndResource{id, {}} {
		testkit.Bubble(t, func(t *testing.T) {
			m := &meter{last: map[string]float64{}, counts: map[string]int{}}
			i := &informed{origin: serve(cm("a", "1"))}
			i.SharedIndexInformer = cache.NewSharedIndexInformerWithOptions(i.origin, &corev1.ConfigMap{},
				cache.SharedIndexInformerOptions{Identifier: id, InformerMetricsProvider: m})
			release := make(chan struct{})
			i.add(t, i.stuck("", release))
			stop := run(i.RunWithContext)
			defer stop()
			defer close(release)
			i.live().Modify(cm("a", "11"))
			i.live().Action("BOOKMARK", cm("", "12"))
			require.Empty(t, i.new())
			if !id.Reserved() {
				require.Empty(t, m.last)
				return
			}
			require.Equal(t, 12.0, m.last["version tour"])
			require.Equal(t, 0.0, m.last["queued tour configmaps"], "and the handler is stuck")
			require.NotZero(t, m.counts["latency tour"])
		})
	}
}
