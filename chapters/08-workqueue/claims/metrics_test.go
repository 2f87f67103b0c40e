package claims

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	upstream "k8s.io/client-go/util/workqueue"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// gauges has the metrics of a queue: of each its value, or what was last observed.
type gauges struct {
	mu    sync.Mutex
	value map[string]float64
}

func (g *gauges) read() map[string]float64 {
	synctest.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	read := map[string]float64{}
	for name, value := range g.value {
		read[name] = value
	}
	return read
}

type gauge struct {
	*gauges
	name string
}

func (g gauge) add(n float64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.value[g.name] += n
}
func (g gauge) Inc() { g.add(1) }
func (g gauge) Dec() { g.add(-1) }
func (g gauge) Set(value float64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.value[g.name] = value
}
func (g gauge) Observe(value float64) { g.Set(value) }

func (g *gauges) called(name, metric string) gauge {
	gauge{g, name + " " + metric}.Set(0)
	return gauge{g, name + " " + metric}
}

func (g *gauges) NewDepthMetric(name string) upstream.GaugeMetric  { return g.called(name, "depth") }
func (g *gauges) NewAddsMetric(name string) upstream.CounterMetric { return g.called(name, "adds") }
func (g *gauges) NewLatencyMetric(name string) upstream.HistogramMetric {
	return g.called(name, "latency")
}
func (g *gauges) NewWorkDurationMetric(name string) upstream.HistogramMetric {
	return g.called(name, "duration")
}
func (g *gauges) NewUnfinishedWorkSecondsMetric(name string) upstream.SettableGaugeMetric {
	return g.called(name, "unfinished")
}
func (g *gauges) NewLongestRunningProcessorSecondsMetric(name string) upstream.SettableGaugeMetric {
	return g.called(name, "longest")
}
func (g *gauges) NewRetriesMetric(name string) upstream.CounterMetric {
	return g.called(name, "retries")
}

// A queue that is given a name has seven metrics, and one without has none, though it has a provider. The depth counts
// what changed while a worker has it, which Len does not, and nothing of what waits. adds counts a key that was merged
// once, and retries each AddAfter, also of what comes at once and of what is merged.
//
// covers: C-05
func TestAQueueWithANameHasMetrics(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		for _, name := range []string{"", "tour"} {
			metrics := &gauges{value: map[string]float64{}}
			q := upstream.NewTypedRateLimitingQueueWithConfig(exponential(),
				upstream.TypedRateLimitingQueueConfig[string]{Name: name, MetricsProvider: metrics})
			addAll(q, "a", "a", "b")
			pass(time.Second)
			require.Equal(t, "a", take(t, q))
			q.Add("a")
			q.AddAfter("b", 0)
			q.AddRateLimited("waits")
			pass(2 * time.Second) // it comes
			require.Equal(t, 2, q.Len())
			if name == "" {
				require.Empty(t, metrics.read(), "seven would have been the belief")
				q.ShutDown()
				continue
			}
			require.NotEqual(t, float64(q.Len()), metrics.read()["tour depth"])
			require.Equal(t, map[string]float64{"tour depth": 3, "tour adds": 4, "tour latency": 1, "tour duration": 0,
				"tour unfinished": 2, "tour longest": 2, "tour retries": 2}, metrics.read())
			require.Equal(t, "b", take(t, q))
			pass(3 * time.Second)
			require.Equal(t, 8.0, metrics.read()["tour unfinished"], "5 of a and 3 of b")
			require.Equal(t, 5.0, metrics.read()["tour longest"])
			q.Done("a")
			require.Equal(t, 5.0, metrics.read()["tour duration"])
			q.ShutDown()
		}
	})
}

// A Done without a Get shows in the depth: what it has put into the line a second time was counted once, and is taken
// out twice.
//
// covers: B-115
func TestADepthBelowZero(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		metrics := &gauges{value: map[string]float64{}}
		q := upstream.NewTypedWithConfig(upstream.TypedQueueConfig[string]{Name: "tour", MetricsProvider: metrics})
		defer q.ShutDown()
		q.Add("a")
		q.Done("a")
		handed(q)
		require.NotEqual(t, 0.0, metrics.read()["tour depth"], "as the line is empty")
		require.Equal(t, -1.0, metrics.read()["tour depth"])
	})
}
