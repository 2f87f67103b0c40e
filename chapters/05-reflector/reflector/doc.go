// Package reflector keeps a store equal to a collection of the API server: it lists and watches a cache.ListerWatcher
// into a cache.ReflectorStore.
//
// [Reflector] makes the decisions of client-go's cache.Reflector, in tools/cache/reflector.go, and sends the same
// requests. Three of its pieces can be replaced: see [Parts].
//
// Reading order: what a reflector is told (options.go) and the rounds that it runs (reflector.go); the two ways to the
// initial state, by streaming list (stream.go, initial.go) or by list (list.go), and the watches that follow it
// (watch.go); what is decided after each request (policy.go), which version the next asks for (versions.go), and how
// long it waits (delay.go); which objects it takes (accept.go), resyncs (resync.go), and calls that can be abandoned
// (await.go). parts.go says what each replaceable piece promises.
//
// # Differences
//
//   - It stops at once wherever it waits, and does not tell the watch error handler of the stop. Upstream waits for its
//     backoff inside a streaming list, and for a call of Watch that does not heed its context.
//   - What it has read ahead of the store when it stops is dropped. Upstream reads one event at a time.
//   - It asks for no page of a list after it has stopped, and a panic waits for no resync. Upstream asks, and waits.
//   - It waits at least as long as the server's Retry-After says, up to 5 minutes. Upstream does not read it.
//   - Its backoff starts anew after 2 minutes without a failure. Upstream's does 2 minutes after its last start, also
//     while everything fails.
//   - When the store refuses the content of a streaming list, it stops the watch. Upstream leaves it open.
//   - A version that the server could not serve stays forgotten until the store has taken in another state. Upstream
//     asks for it again when the store refused that state.
//   - It does not warn when the bookmark that ends an initial state is late, nor compare a streaming list with a list
//     (KUBE_WATCHLIST_INCONSISTENCY_DETECTOR).
package reflector
