// Package mirror is a controller: whatever ConfigMap is a source is mirrored into each namespace that asks for mirrors.
// A mirror that somebody has changed is repaired, one that somebody has deleted comes back, and one that is no longer
// wanted goes. What somebody else has put in a mirror's place is let alone.
//
// It is made of client-go's parts, or of this book's: [Parts] says which. The rules:
//
//   - A run is about one place, named by a [Key], and not about an event. It reads what is, computes what should be,
//     and makes at most one write.
//   - It reads caches, never the API server. It writes to the API server, never to a cache.
//   - What it writes and deletes it has seen: the API server refuses a write if there is something else by now.
//   - A run that fails is tried again, later and later. There is one place where that is decided.
//   - Nothing is remembered that the API server has not. A controller that is killed begins anew.
//
// Reading order: what takes part (labels.go), what should be (desired.go), and the run that brings it about
// (reconcile.go). Then what leads to a run: the places that a change concerns (relations.go), the handler that names
// them (handlers.go), and the workers (work.go). Then what a run reads (caches.go), what it writes with (client.go),
// and its own writes that no cache shows yet (written.go). Last, all of it together (controller.go, parts.go, book.go).
//
// Upstream's counterpart of the whole is any controller of kube-controller-manager, and k8s.io/sample-controller.
package mirror
