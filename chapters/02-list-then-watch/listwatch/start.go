package listwatch

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
)

// initialEventsEnd is the annotation of the bookmark that ends a streaming list's objects.
const initialEventsEnd = "k8s.io/initial-events-end"

// list gets all pages, makes the view equal to them, and leaves the resourceVersion to watch from.
//
// It asks for no resourceVersion: the server then answers with a state that is at least as new as
// the request, so that a view never goes back in time.
func (c *Client) list(ctx context.Context) error {
	c.Observe(State{Doing: Listing})
	o := watch.Options{Limit: c.PageSize}
	var items []json.RawMessage
	for {
		page, err := c.page(ctx, o)
		if endOf(err) == Expired && o.Continue != "" {
			// The pages so far are of a state that the server forgot: what follows cannot be appended to
			// them. Start again without pages, or the same may happen for ever.
			o, items = watch.Options{}, nil
			continue
		}
		if err != nil {
			return err
		}
		items = append(items, page.Items...)
		if o.Continue = page.Metadata.Continue; o.Continue == "" {
			return c.synced(items, page.Metadata.ResourceVersion)
		}
	}
}

// page is one request of a list.
func (c *Client) page(ctx context.Context, o watch.Options) (*watch.List, error) {
	ctx, idle := c.bounded(ctx)
	defer idle.stop()
	l, err := c.Source.List(ctx, o)
	return l, idle.explain(err)
}

// streamingList opens a watch that begins with all objects, and stays in it for the changes.
func (c *Client) streamingList(ctx context.Context) error {
	c.Observe(State{Doing: Streaming})
	initial := &View{} // nil once it is complete: until then it is no state that ever was
	err := c.follow(ctx, watch.Options{
		SendInitialEvents:    "true",
		ResourceVersionMatch: "NotOlderThan",
		AllowWatchBookmarks:  true,
	}, func(e watch.Event) error {
		if initial == nil {
			return c.apply(e)
		}
		meta, err := e.Meta()
		switch {
		case err != nil:
			return err
		case e.Type == watch.Bookmark && meta.Annotations[initialEventsEnd] == "true":
			var items []json.RawMessage
			for _, o := range initial.Objects() {
				items = append(items, o.JSON)
			}
			initial = nil
			return c.synced(items, meta.ResourceVersion)
		case e.Type != watch.Bookmark:
			// The objects come in the order of their names. None of their resourceVersions may be resumed from:
			// objects with smaller ones are still to come. The API server sends ADDED alone, because its watch cache
			// is brought up to date first; like upstream's Reflector, this takes changes, too.
			initial.Apply(e.Type, meta, e.Object)
		}
		return nil
	})
	c.Streaming = !notSupported(err)
	return err
}

// synced makes the view equal to a complete state. Only from here on is there a place to resume from.
func (c *Client) synced(items []json.RawMessage, resourceVersion string) error {
	if err := c.View.Replace(items); err != nil {
		return err
	}
	c.resumePoint = resourceVersion
	c.Observe(State{Doing: Synced, From: resourceVersion})
	return nil
}

// notSupported tells the answer of a server that knows no streaming lists.
func notSupported(err error) bool {
	var status *watch.StatusError
	return errors.As(err, &status) &&
		(status.Code == http.StatusUnprocessableEntity || status.Code == http.StatusBadRequest)
}
