// Package scenario puts a listwatch.Client under fire: a writer creates, updates and deletes
// ConfigMaps, the client watches them through a fault proxy, and in the end its view must be the
// server's and it must have seen each object's values in the order in which they were written. The
// demo and the tests play it.
//
// Reading order: scenario.go (one run), writer.go, observer.go (what the client did), clock.go.
package scenario
