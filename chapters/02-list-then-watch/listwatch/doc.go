// Package listwatch keeps a local view of a collection equal to the server's,
// whatever happens to the connection.
//
// One LIST says what is there and at which resourceVersion; a WATCH from that resourceVersion says
// what changes. When the watch ends, for any reason but one, the client watches again from the last
// resourceVersion it saw, and has missed nothing. The one reason is 410: the server no longer knows
// the changes since then, and the client starts over. With Streaming set, the LIST is a watch, too:
// the server sends the objects as events, then a bookmark that says that these were all, and goes
// on with the changes in the same response.
//
// Reading order: client.go (the loop), start.go (the two ways to begin), follow.go (one watch),
// end.go (what each kind of end means); then backoff.go, view.go, and the small parts source.go and
// clock.go. Upstream's counterpart is the Reflector of k8s.io/client-go/tools/cache.
package listwatch
