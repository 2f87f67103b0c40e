package scenario

import (
	"maps"
	"sync"

	"k8s.io/client-go/util/workqueue"
)

// Metrics is a workqueue.MetricsProvider for one queue. It keeps what the queue measures by the names that Kubernetes
// gives it. Of a histogram it keeps how much was observed.
type Metrics struct {
	lock   sync.Mutex // guards values
	values map[string]float64
}

var _ workqueue.MetricsProvider = &Metrics{}

// Values are those of now.
func (m *Metrics) Values() map[string]float64 {
	m.lock.Lock()
	defer m.lock.Unlock()
	return maps.Clone(m.values)
}

// metric is one of them.
type metric struct {
	of   *Metrics
	name string
}

func (m metric) change(to func(old float64) float64) {
	m.of.lock.Lock()
	defer m.of.lock.Unlock()
	if m.of.values == nil {
		m.of.values = map[string]float64{}
	}
	m.of.values[m.name] = to(m.of.values[m.name])
}

// Inc, Dec, Set and Observe make it each kind of metric.
func (m metric) Inc()            { m.change(func(old float64) float64 { return old + 1 }) }
func (m metric) Dec()            { m.change(func(old float64) float64 { return old - 1 }) }
func (m metric) Set(v float64)   { m.change(func(float64) float64 { return v }) }
func (m metric) Observe(float64) { m.Inc() }

// NewDepthMetric implements workqueue.MetricsProvider, as do the others.
func (m *Metrics) NewDepthMetric(string) workqueue.GaugeMetric {
	return metric{m, "workqueue_depth"}
}

// NewAddsMetric counts what is added.
func (m *Metrics) NewAddsMetric(string) workqueue.CounterMetric {
	return metric{m, "workqueue_adds_total"}
}

// NewLatencyMetric observes how long an item waits.
func (m *Metrics) NewLatencyMetric(string) workqueue.HistogramMetric {
	return metric{m, "workqueue_queue_duration_seconds"}
}

// NewWorkDurationMetric observes how long a worker has it.
func (m *Metrics) NewWorkDurationMetric(string) workqueue.HistogramMetric {
	return metric{m, "workqueue_work_duration_seconds"}
}

// NewUnfinishedWorkSecondsMetric has how long workers have had what they have, in all.
func (m *Metrics) NewUnfinishedWorkSecondsMetric(string) workqueue.SettableGaugeMetric {
	return metric{m, "workqueue_unfinished_work_seconds"}
}

// NewLongestRunningProcessorSecondsMetric has the longest of these times.
func (m *Metrics) NewLongestRunningProcessorSecondsMetric(string) workqueue.SettableGaugeMetric {
	return metric{m, "workqueue_longest_running_processor_seconds"}
}

// NewRetriesMetric counts what is added later.
func (m *Metrics) NewRetriesMetric(string) workqueue.CounterMetric {
	return metric{m, "workqueue_retries_total"}
}
