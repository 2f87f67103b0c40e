// Package deletion lets an object go only when what it stood for is gone: the process of a Process, the children of a
// ProcessSet.
//
// Reading order: the finalizer, which is there before anything is made, and goes last (guard.go). What is done in
// between is a list of steps, each of which may have been done before (steps.go): those of a Process (process.go), with
// the place for logs that outlive it (archive.go), and the one of a set, whose children go in order (order.go, set.go).
// Last, what can be swapped (pieces.go).
//
// Upstream's counterpart is sigs.k8s.io/controller-runtime/pkg/finalizer, whose Finalizer Steps implements.
package deletion
