package workqueuetest

import (
	"runtime"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/util/workqueue"
)

type (
	queue   = workqueue.TypedRateLimitingInterface[string]
	limiter = workqueue.TypedRateLimiter[string]
)

// changed is one of upstream's queues, of which each method can be replaced. Each of the queues below breaks one thing.
type changed struct {
	queue
	limiter                    limiter
	add, limited, done, forget func(item string)
	after                      func(item string, delay time.Duration)
	get                        func() (string, bool)
	length                     func() int
	shutDown, drain            func()
}

func (c *changed) Add(item string)                       { c.add(item) }
func (c *changed) AddRateLimited(item string)            { c.limited(item) }
func (c *changed) Done(item string)                      { c.done(item) }
func (c *changed) Forget(item string)                    { c.forget(item) }
func (c *changed) AddAfter(item string, d time.Duration) { c.after(item, d) }
func (c *changed) Get() (string, bool)                   { return c.get() }
func (c *changed) Len() int                              { return c.length() }
func (c *changed) ShutDown()                             { c.shutDown() }
func (c *changed) ShutDownWithDrain()                    { c.drain() }

// changing makes a queue of which a function changes something.
func changing(change func(c *changed)) New {
	return func(l limiter) queue {
		q := workqueue.NewTypedRateLimitingQueue(l)
		c := &changed{q, l, q.Add, q.AddRateLimited, q.Done, q.Forget, q.AddAfter, q.Get, q.Len, q.ShutDown,
			q.ShutDownWithDrain}
		change(c)
		return c
	}
}

// line is a line for upstream's queue that can do something when an item is added again, or hand out the last one.
type line struct {
	items     []string
	touch     func(l *line, item string)
	lastFirst bool
}

func (l *line) Push(item string) { l.items = append(l.items, item) }
func (l *line) Len() int         { return len(l.items) }

func (l *line) Touch(item string) {
	if l.touch != nil {
		l.touch(l, item)
	}
}

func (l *line) Pop() (item string) {
	i := 0
	if l.lastFirst {
		i = len(l.items) - 1
	}
	item = l.items[i]
	l.items = slices.Delete(l.items, i, i+1)
	return item
}

func (l *line) toTheEnd(item string) {
	l.items = append(slices.DeleteFunc(l.items, func(i string) bool { return i == item }), item)
}

// inLine makes a queue with a line of its own.
func inLine(newLine func() *line) New {
	return func(l limiter) queue {
		return workqueue.NewTypedRateLimitingQueueWithConfig(l, workqueue.TypedRateLimitingQueueConfig[string]{
			DelayingQueue: workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[string]{
				Queue: workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[string]{Queue: newLine()})})})
	}
}

func touched(touch func(l *line, item string)) func() *line {
	return func() *line { return &line{touch: touch} }
}

func lastFirst() *line { return &line{lastFirst: true} }

// doneWhenHandedOut takes an item for done when a worker gets it.
func doneWhenHandedOut(c *changed) {
	c.done = func(string) {}
	c.get = func() (string, bool) {
		item, end := c.queue.Get()
		c.queue.Done(item)
		return item, end
	}
}

// words are a set, for many at once.
type words struct{ m sync.Map }

func (w *words) insert(word string)   { w.m.Store(word, true) }
func (w *words) delete(word string)   { w.m.Delete(word) }
func (w *words) has(word string) bool { _, has := w.m.Load(word); return has }

// keeping calls f with each item that is handed out.
func keeping(c *changed, f func(item string)) func() (string, bool) {
	return func() (string, bool) {
		item, end := c.queue.Get()
		if !end {
			f(item)
		}
		return item, end
	}
}

// deafWhileItWorks takes an item that a worker has for one that is in the queue.
func deafWhileItWorks(c *changed) {
	var processing words
	c.get = keeping(c, processing.insert)
	c.add = func(item string) {
		if !processing.has(item) {
			c.queue.Add(item)
		}
	}
	c.done = func(item string) { processing.delete(item); c.queue.Done(item) }
}

// onceAndForAll remembers what it has had.
func onceAndForAll(c *changed) {
	var done words
	c.add = func(item string) {
		if !done.has(item) {
			c.queue.Add(item)
		}
	}
	c.done = func(item string) { done.insert(item); c.queue.Done(item) }
}

// againAndAgain puts an item back unless somebody forgets it.
func againAndAgain(c *changed) {
	var forgotten words
	c.forget = func(item string) { forgotten.insert(item); c.queue.Forget(item) }
	c.done = func(item string) {
		c.queue.Done(item)
		if !forgotten.has(item) {
			c.queue.Add(item)
		}
	}
}

// oneAtATime hands out nothing before the last item is done.
func oneAtATime(c *changed) {
	busy := make(chan bool, 1)
	c.get = func() (string, bool) {
		busy <- true
		item, end := c.queue.Get()
		if end {
			<-busy
		}
		return item, end
	}
	c.done = func(item string) { c.queue.Done(item); <-busy }
	c.shutDown = func() { c.queue.ShutDown(); clearOut(busy) }
}

func clearOut(c chan bool) {
	for {
		select {
		case <-c:
			runtime.Gosched()
		case <-time.After(time.Second):
			return
		}
	}
}

func doesNotWait(c *changed) {
	c.get = func() (string, bool) {
		if c.queue.Len() == 0 {
			return "", true
		}
		return c.queue.Get()
	}
}

func looksNowAndThen(c *changed) {
	c.get = func() (string, bool) {
		for c.queue.Len() == 0 && !c.queue.ShuttingDown() {
			time.Sleep(10 * time.Millisecond)
		}
		return c.queue.Get()
	}
}

func countsWhatIsProcessed(c *changed) {
	var lock sync.Mutex
	processed := 0
	count := func(n int) int {
		lock.Lock()
		defer lock.Unlock()
		processed += n
		return processed
	}
	c.get = keeping(c, func(string) { count(1) })
	c.done = func(item string) { count(-1); c.queue.Done(item) }
	c.length = func() int { return c.queue.Len() + count(0) }
}

// delayed changes each delay.
func delayed(change func(time.Duration) time.Duration) func(c *changed) {
	return func(c *changed) {
		c.after = func(item string, delay time.Duration) { c.queue.AddAfter(item, change(delay)) }
	}
}

func plusMillisecond(d time.Duration) time.Duration { return d + time.Millisecond }

func minusMillisecond(d time.Duration) time.Duration { return d - time.Millisecond }

func atLeastAMillisecond(d time.Duration) time.Duration { return max(d, time.Millisecond) }

func timerForEach(c *changed) {
	c.after = func(item string, delay time.Duration) {
		if !c.queue.ShuttingDown() {
			time.AfterFunc(delay, func() { c.queue.Add(item) })
		}
	}
}

// latestTime begins to wait anew with each AddAfter.
func latestTime(c *changed) {
	var lock sync.Mutex
	timers := map[string]*time.Timer{}
	c.after = func(item string, delay time.Duration) {
		lock.Lock()
		defer lock.Unlock()
		if timers[item] != nil {
			timers[item].Stop()
		}
		timers[item] = time.AfterFunc(delay, func() { c.queue.Add(item) })
	}
}

// oneAfterTheOther waits for the times in the order of AddAfter.
func oneAfterTheOther(c *changed) {
	var lock sync.Mutex
	var last time.Time
	c.after = func(item string, delay time.Duration) {
		lock.Lock()
		defer lock.Unlock()
		if at := time.Now().Add(delay); at.After(last) {
			last = at
		}
		c.queue.AddAfter(item, time.Until(last))
	}
}

func addsAreFailures(c *changed) {
	c.add = func(item string) { c.limiter.When(item); c.queue.Add(item) }
}

func unlimited(c *changed) {
	c.limited = func(item string) { c.limiter.When(item); c.queue.Add(item) }
}

func unforgetting(c *changed) { c.forget = func(string) {} }

func doneIsForgotten(c *changed) {
	c.done = func(item string) { c.queue.Forget(item); c.queue.Done(item) }
}

func overAtOnce(c *changed) {
	c.get = func() (string, bool) {
		item, end := c.queue.Get()
		return item, end || c.queue.ShuttingDown()
	}
}

// overLater tells those who wait of the end when it looks the next time.
func overLater(c *changed) {
	c.shutDown = func() { time.AfterFunc(time.Second, c.queue.ShutDown) }
}

// takesMore has another queue for what comes after the end.
func takesMore(c *changed) {
	more := make(chan string, 10)
	c.add = func(item string) {
		if c.queue.ShuttingDown() {
			more <- item
		}
		c.queue.Add(item)
	}
	c.length = func() int { return c.queue.Len() + len(more) }
}

func doesNotDrain(c *changed) { c.drain = c.queue.ShutDown }

// drainsWhatIsLater waits until nothing waits for its time.
func drainsWhatIsLater(c *changed) {
	var later sync.WaitGroup
	c.after = func(item string, delay time.Duration) {
		later.Go(func() { time.Sleep(delay); c.queue.Add(item) })
	}
	c.drain = func() { c.queue.ShutDownWithDrain(); later.Wait() }
}

// drainsOn is shut down when nobody drains it.
func drainsOn(c *changed) {
	c.shutDown = func() {
		if c.queue.ShuttingDown() {
			time.AfterFunc(time.Second, c.queue.ShutDown)
		} else {
			c.queue.ShutDown()
		}
	}
}

func leavesGoroutine(c *changed) {
	c.shutDown = func() {
		go func() { select {} }()
		c.queue.ShutDown()
	}
}

// looksThenDoes keeps what is added meanwhile by itself, and gives its lock back between a look and what follows.
func looksThenDoes(c *changed) {
	var processing, again words
	c.get = keeping(c, processing.insert)
	c.add = func(item string) {
		if processing.has(item) {
			again.insert(item)
		} else {
			c.queue.Add(item)
		}
	}
	c.shutDown = func() {
		again.m.Range(func(item, _ any) bool { c.queue.Add(item.(string)); return true })
		c.queue.ShutDown()
	}
	c.done = func(item string) {
		wanted := again.has(item)
		runtime.Gosched()
		again.delete(item)
		processing.delete(item)
		c.queue.Done(item)
		if wanted {
			c.queue.Add(item)
		}
	}
}
