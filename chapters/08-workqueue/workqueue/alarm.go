package workqueue

import (
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// Alarm has one goroutine, which calls a function whenever there is something to do: that function does what is due,
// and says how long it is until the next. One timer is enough, however much waits.
//
// Upstream: delayingType.waitingLoop, in util/workqueue/delaying_queue.go, which also looks every ten seconds, and
// hears of what is new through a channel that holds a thousand.
type Alarm struct {
	clock clock.Clock
	due   func() (wait time.Duration, some bool)
	news  chan struct{} // has room for one: due has something to look at
	stop  func()        // may be called again
	done  chan struct{} // closed by stop
	ended chan struct{}
}

// NewAlarm begins to call due, and calls it when the time that it says is over, and after each [Alarm.Look]. If due
// says that there is nothing to wait for, only after Look.
func NewAlarm(clock clock.Clock, due func() (wait time.Duration, some bool)) *Alarm {
	a := &Alarm{clock: clock, due: due, news: make(chan struct{}, 1), done: make(chan struct{}),
		ended: make(chan struct{})}
	a.stop = sync.OnceFunc(func() { close(a.done) })
	go a.run()
	return a
}

// Look has the function be called soon, because there is something new, and waits for nothing.
func (a *Alarm) Look() {
	select {
	case a.news <- struct{}{}:
	default: // it will look anyway
	}
}

// Stop has the function be called no more. When it returns, no call is left that has begun, and no goroutine.
func (a *Alarm) Stop() {
	a.stop()
	<-a.ended
}

func (a *Alarm) run() {
	defer close(a.ended)
	for {
		var ring <-chan time.Time // nil, on which nothing ever comes, while nothing waits
		var timer clock.Timer
		if wait, some := a.due(); some {
			timer = a.clock.NewTimer(wait)
			ring = timer.C()
		}
		select {
		case <-ring:
		case <-a.news:
		case <-a.done:
		}
		if timer != nil {
			timer.Stop()
		}
		select {
		case <-a.done:
			return
		default:
		}
	}
}
