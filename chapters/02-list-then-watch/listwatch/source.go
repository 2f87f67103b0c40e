package listwatch

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
)

// Source is a collection that can be listed and watched. Upstream: cache.ListerWatcher.
type Source interface {
	// List returns one page. An error of the server is a *watch.StatusError in the chain.
	List(ctx context.Context, o watch.Options) (*watch.List, error)
	// Watch returns when the server has accepted the watch. The caller closes the stream.
	Watch(ctx context.Context, o watch.Options) (Stream, error)
}

// Stream is an open watch. *watch.Stream is one. Upstream: watch.Interface.
type Stream interface {
	// Next waits for an event. io.EOF says that the server ended the watch in good order.
	Next() (watch.Event, error)
	Close() error
}

// Collection is the Source over chapter 01's client.
type Collection struct {
	Client *watch.Client
	// Path is the collection's, as watch.Path makes it.
	Path string
	// LabelSelector narrows it.
	LabelSelector string
}

// List implements Source.
func (c Collection) List(ctx context.Context, o watch.Options) (*watch.List, error) {
	o.LabelSelector = c.LabelSelector
	return c.Client.List(ctx, c.Path, o)
}

// Watch implements Source.
func (c Collection) Watch(ctx context.Context, o watch.Options) (Stream, error) {
	o.LabelSelector = c.LabelSelector
	s, err := c.Client.Watch(ctx, c.Path, o)
	if err != nil {
		return nil, err // not s: a nil *watch.Stream in a Stream would not be nil
	}
	return s, nil
}
