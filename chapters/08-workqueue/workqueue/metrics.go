package workqueue

import (
	"sync"
	"time"

	upstream "k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
)

// lookPeriod is how often a queue says what its workers have not finished.
const lookPeriod = 500 * time.Millisecond

// metrics measures a queue. Its methods do nothing if it is nil, and all but stop are called with the queue's lock.
//
// Upstream: defaultQueueMetrics, in util/workqueue/metrics.go.
type metrics[T comparable] struct {
	clock clock.Clock
	added map[T]time.Time // when what is in the queue came
	begun map[T]time.Time // when what is processed was handed out

	depth               upstream.GaugeMetric
	adds                upstream.CounterMetric
	latency, duration   upstream.HistogramMetric
	unfinished, longest upstream.SettableGaugeMetric

	end   func() // may be called again
	ended sync.WaitGroup
}

// newMetrics returns nil for a queue without a name, or without a provider.
func newMetrics[T comparable](from upstream.MetricsProvider, name string, clock clock.Clock) *metrics[T] {
	if from == nil || name == "" {
		return nil
	}
	return &metrics[T]{
		clock:      clock,
		added:      map[T]time.Time{},
		begun:      map[T]time.Time{},
		depth:      from.NewDepthMetric(name),
		adds:       from.NewAddsMetric(name),
		latency:    from.NewLatencyMetric(name),
		duration:   from.NewWorkDurationMetric(name),
		unfinished: from.NewUnfinishedWorkSecondsMetric(name),
		longest:    from.NewLongestRunningProcessorSecondsMetric(name),
	}
}

// watch looks now and then what the workers have not finished: an item that is never done shows in nothing else.
func (m *metrics[T]) watch(lock sync.Locker, clock clock.WithTicker) {
	end := make(chan struct{})
	m.end = sync.OnceFunc(func() { close(end) })
	m.ended.Go(func() {
		ticker := clock.NewTicker(lookPeriod)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C():
				lock.Lock()
				m.look()
				lock.Unlock()
			case <-end:
				return
			}
		}
	})
}

// stop ends the looking, and waits for its end.
func (m *metrics[T]) stop() {
	if m != nil {
		m.end()
		m.ended.Wait()
	}
}

func (m *metrics[T]) add(item T) {
	if m == nil {
		return
	}
	m.adds.Inc()
	m.depth.Inc()
	m.added[item] = m.clock.Now()
}

func (m *metrics[T]) get(item T) {
	if m == nil {
		return
	}
	m.depth.Dec()
	now := m.clock.Now()
	m.begun[item] = now
	m.latency.Observe(now.Sub(m.added[item]).Seconds())
	delete(m.added, item)
}

func (m *metrics[T]) done(item T) {
	if m == nil {
		return
	}
	if begun, isProcessed := m.begun[item]; isProcessed {
		m.duration.Observe(m.clock.Since(begun).Seconds())
		delete(m.begun, item)
	}
}

func (m *metrics[T]) look() {
	var total, longest time.Duration
	for _, begun := range m.begun {
		age := m.clock.Since(begun)
		total += age
		longest = max(longest, age)
	}
	m.unfinished.Set(total.Seconds())
	m.longest.Set(longest.Seconds())
}
