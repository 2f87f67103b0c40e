package priorityqueue

// ShutDown has nothing be added from now on, and wakes all who wait in Get. What is ready is still handed out; what
// waits for its time is dropped. It calls off a ShutDownWithDrain that waits, and may be called again.
func (q *Queue[T]) ShutDown() { q.end(false) }

// ShutDownWithDrain is ShutDown, and returns when all that was ready has been handed out and is done, or when ShutDown
// is called. (Upstream's is ShutDown.)
func (q *Queue[T]) ShutDownWithDrain() {
	q.end(true)
	q.lock.Lock()
	defer q.lock.Unlock()
	for q.drain && !q.isIdle() {
		q.idle.Wait()
	}
}

// end begins the shutdown, and returns when no goroutine is left.
func (q *Queue[T]) end(drain bool) {
	q.lock.Lock()
	q.shutDown, q.drain = true, drain
	q.came.Broadcast()
	q.idle.Broadcast()
	q.lock.Unlock()
	q.alarm.Stop()
}

// ShuttingDown says whether ShutDown or ShutDownWithDrain was called.
func (q *Queue[T]) ShuttingDown() bool {
	q.lock.Lock()
	defer q.lock.Unlock()
	return q.shutDown
}
