package reflector

// Doing is what a reflector was doing when something happened.
type Doing string

const (
	// Streaming is a streaming list: a watch that begins with the initial state, until the bookmark that ends it.
	Streaming Doing = "streaming list"
	// Listing is a list, in pages or in one piece.
	Listing Doing = "list"
	// Opening is the request for a watch that begins at a version, until the server has accepted it.
	Opening Doing = "opening a watch"
	// Watching is reading the events of a watch whose initial state, if it was asked for one, is complete.
	Watching Doing = "watch"
)

// Next is the request that follows.
type Next string

const (
	// Again is a request of the same kind: another streaming list, another list, or another watch.
	Again Next = "again"
	// Fall is a list in the place of a streaming list.
	Fall Next = "fall back to a list"
	// Restart begins as a new reflector would: with a streaming list, or with a list where streaming is off.
	Restart Next = "start again"
)

// Decision is what follows after a request ended.
type Decision struct {
	// Next is the next request.
	Next Next
	// Wait says that the backoff, or the server's Retry-After, passes before it.
	Wait bool
	// Forget says that the version that was asked for can't be had: the next request asks for the newest state.
	Forget bool
	// Tell says that the watch error handler hears of it.
	Tell bool
}

// Policy decides what follows when a request has ended with err, which is nil where a response ended in good order.
// Upstream's decisions are spread over k8s.io/client-go/tools/cache.Reflector's watchList, list and watch, in
// tools/cache/reflector.go.
type Policy func(doing Doing, err error) Decision
