// Package workqueue is the queue between an informer's handlers and a controller's workers. Handlers add keys, workers
// get them, and the queue sees to it that a key is processed after its last change, never twice at once, and not too
// soon after it failed.
//
// It has three layers, each of which is one of client-go's interfaces and takes the one beneath, ours or upstream's:
// [Queue] is a workqueue.TypedInterface, [DelayingQueue] a TypedDelayingInterface, and [RateLimitingQueue] a
// TypedRateLimitingInterface. So client-go's controllers and controller-runtime run on it.
//
// Reading order: the two sets (queue.go), and the line of what can be handed out (line.go); items that wait for their
// time (schedule.go), one goroutine for all of them (alarm.go), and the queue on top (delaying.go); how long an item
// waits that failed (failures.go) and limits for all together (limiters.go), and the queue on top (ratelimiting.go);
// what can be measured (metrics.go). Then priorityqueue/, which hands out what is more urgent first.
//
// What upstream has and this package has not: the untyped names, which are deprecated, a provider of metrics for a
// whole program, a logger, and ParallelizeUntil, which needs no queue. What it does otherwise is in
// differences_test.go, a test for each.
package workqueue
