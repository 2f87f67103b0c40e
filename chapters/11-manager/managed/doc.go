// Package managed is chapter 09's mirror controller again, on controller-runtime. What should be, what leads to a run
// and what a run does are chapter 09's own functions, [mirror.NewHandler] and [mirror.Reconcile]. What is here is what
// that chapter has written by hand besides: informers, caches, indexes, the queue, the workers, the end.
//
// The manager does the most of it. What it does not do is what this package has left: it says what is cached and how it
// is found, answers chapter 09's questions from the cache, and decides what a run does about its own last write.
//
// Reading order: what a controller is told (options.go) and made of (parts.go, book.go), and the manager that comes of
// it (manager.go). Then what leads to a run (watched.go), what a run reads (reader.go) and writes (writer.go), and the
// run (reconciler.go).
//
// Upstream's counterpart is any controller that kubebuilder has begun: its main.go and its SetupWithManager.
package managed
