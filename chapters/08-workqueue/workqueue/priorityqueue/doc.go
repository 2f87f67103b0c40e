// Package priorityqueue is a workqueue with priorities: what is more urgent is handed out first. A controller that
// starts hears of everything there is, and what changes meanwhile should not wait for that.
//
// [Queue] implements controller-runtime's priorityqueue.PriorityQueue, and with it client-go's
// workqueue.TypedRateLimitingInterface, and is built of chapter 08's pieces: its schedule, its alarm and its limiters.
//
// Reading order: what the queue knows of an item, and the line (entry.go); handing out and Done (queue.go); adding, now
// and later (add.go); shutdown.go.
//
// What upstream's has and this has not: metrics, a name, a logger. What this has and upstream's has not: a clock, a
// ShutDownWithDrain that drains, and a ShutDown after which what is ready is still handed out.
package priorityqueue
