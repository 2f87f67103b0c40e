package reflector

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/watch"
)

// Parts are the pieces of a reflector that can be replaced, each by one that keeps the same promise. Those that are nil
// are this package's own. Upstream's reflector has no such seams.
type Parts struct {
	// Policy says what follows when a request has ended.
	Policy Policy
	// Versions says which version a request asks for. A reflector of its own needs Versions of its own.
	Versions Versions
	// Initial reads the initial state of a streaming list.
	Initial Initial
}

// Versions knows which resourceVersion the next request asks for. A version is a text: it is compared with no other.
// The reflector calls the methods from one goroutine, but for Last.
type Versions interface {
	// List is the version of the next list.
	List() string
	// Stream is the version of the next streaming list.
	Stream() string
	// Watch is the version of the next watch without initial events.
	Watch() string

	// Synced takes note of a list or of the initial state of a streaming list, which the store has taken in.
	Synced(version string)
	// Opened takes note that a watch without initial events was opened, at what Watch returned then.
	Opened()
	// Event takes note of an event of a watch that is past its initial state: one that Opened told of, or a
	// streaming list after Synced. It says whether Last is the version of the event now. The event itself is the
	// store's by then.
	Event(kind watch.EventType, version string) bool
	// Unavailable takes note that the server can't serve the version of the last list or streaming list.
	Unavailable()

	// Last is the version of what the store holds. Any goroutine may ask.
	Last() string
}

// Collection takes in the initial state. cache.Store is one.
type Collection interface {
	Add(object any) error
	Update(object any) error
	Delete(object any) error
}

// Initial reads the events of a streaming list into a collection until the bookmark that ends the initial state, and
// returns that bookmark's version. Then the watch is left open, and its next event is the first after the initial
// state. When it returns an error the watch is stopped: the error is that of an ERROR event, as apierrors.FromObject
// makes it, ctx's cause, or ErrEndedEarly. Events of objects that the reflector does not take are not among those of w.
// Upstream's counterpart is handleListWatch in tools/cache/reflector.go.
type Initial func(ctx context.Context, w watch.Interface, into Collection) (version string, err error)

// ErrEndedEarly says that a streaming list ended in good order before the bookmark that ends the initial state.
var ErrEndedEarly = errors.New("the streaming list ended before its initial state was complete")
