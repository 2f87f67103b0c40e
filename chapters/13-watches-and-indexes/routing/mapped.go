package routing

import "sigs.k8s.io/controller-runtime/pkg/handler"

// Mapped makes a handler that answers an event with the keys that a function has for an object: what a builder's
// Watches is mostly given. Of an update the function is asked twice, about the object as it was and as it is. So it
// need not remember what an object once named: whoever is no longer named hears of it, too.
//
// The function runs where the informer's events are handed out, one after another. It asks no server.
//
// Upstream's counterpart is handler.EnqueueRequestsFromMapFunc, in controller-runtime's pkg/handler/enqueue_mapped.go.
func Mapped(keys handler.MapFunc) *Handler { return &Handler{keys: keys} }
