// Package opened opens a manager of controller-runtime's: it records what happens inside, through the places where
// upstream lets somebody put a part of his own in. Nothing of it changes what the manager does.
//
//	record := opened.New()
//	config.Wrap(record.Transport("the manager"))                     // each request
//	options.Cache.NewInformer = record.NewInformer(nil)              // each informer
//	options.NewCache = record.NewCache(nil)                          // the cache's start and end
//	options.Logger = record.Logger()                                 // each line of the log
//	controllerOptions.NewQueue = record.NewQueue(nil)                // what goes into the queue and comes out
//	controllerOptions.Reconciler = record.Reconciler("mirror", mine) // each run, and what it returned
//	manager.Add(opened.Runnable{Record: record, Name: "mine"})       // when the manager starts and stops it
//
// Reading order: record.go, then each part alone: runnables.go, caches.go, queue.go, reconciler.go, transport.go,
// log.go.
package opened
