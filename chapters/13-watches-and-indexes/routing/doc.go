// Package routing is what stands between an informer and a controller's queue: which events pass, and which keys each
// of them becomes. And it is how a map function finds those keys: an index of an informer's objects by a field.
//
// Upstream's counterparts are controller-runtime's packages handler, predicate and source, and the index that its cache
// keeps.
//
// Reading order: an event becomes keys (handler.go), and there are three ways to name them: the object's own
// (object.go), its owners' (owner.go), those that a function says (mapped.go). predicate.go lets events pass or not.
// channel.go has events that come from no API server. index.go keeps objects by a field, and list.go finds them.
package routing
