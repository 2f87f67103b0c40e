// Package resume is the part of a list-then-watch client that decides: which request comes next, and
// what the view holds. It sends nothing. Something else sends the requests and tells the Client how
// they went, as the tests do.
package resume

import "maps"

// Request is what to send next.
type Request struct {
	// Verb is "LIST" or "WATCH".
	Verb string
	// ResourceVersion is the parameter of that name; "" leaves it out.
	ResourceVersion string
	// InitialEvents marks the WATCH that begins a streaming list.
	InitialEvents bool
}

// Event is one event of a watch.
type Event struct {
	// Type is "ADDED", "MODIFIED", "DELETED", "BOOKMARK" or "ERROR".
	Type string
	// Name and ResourceVersion are the object's. A BOOKMARK has no name, an ERROR has neither.
	Name, ResourceVersion string
	// InitialEventsEnd marks the BOOKMARK that ends the initial events of a streaming list.
	InitialEventsEnd bool
	// Code is that of an ERROR's Status.
	Code int
}

// Client is the state machine. The caller asks Next for a request and sends it. For a LIST it then
// calls Listed, or Ended if that failed; for a WATCH it calls Event for each event and Ended when
// there are no more. Then it asks Next again. Two clients have nothing in common.
type Client struct {
	// Streaming has the client begin with a streaming list where it would else LIST.
	Streaming bool
	// View is the local copy: the resourceVersion of each object, by name. In a new client it is nil.
	View map[string]string

	next    Request
	replay  bool
	changed []func(map[string]string)
}

// Next hands out the request that the last call has prepared.
func (c *Client) Next() Request {
	if c.next.Verb == "" {
		c.forget()
	}
	return c.next
}

// Listed takes the answer to a LIST.
func (c *Client) Listed(resourceVersion string, objects map[string]string) {
	c.View = maps.Collect(maps.All(objects))
	c.from(resourceVersion)
}

// Event takes an event of the current watch.
func (c *Client) Event(e Event) {
	change := func(view map[string]string) { view[e.Name] = e.ResourceVersion }
	switch e.Type {
	case "ERROR":
		if e.Code == 410 {
			c.forget()
		}
		return
	case "BOOKMARK":
		change = func(map[string]string) {}
	case "DELETED":
		change = func(view map[string]string) { delete(view, e.Name) }
	}
	c.changed = append(c.changed, change)
	if c.replay && !e.InitialEventsEnd {
		return
	}
	view := map[string]string{} // a new one for each state
	if !c.replay {
		maps.Copy(view, c.View)
	}
	for _, change := range c.changed {
		change(view)
	}
	c.View = view
	c.from(e.ResourceVersion)
}

// Ended takes the end of a watch, or of a LIST that failed.
func (c *Client) Ended(status int) {
	if status == 410 || c.next.ResourceVersion == "" {
		c.forget()
	}
}

// from prepares a watch from a state that is complete.
func (c *Client) from(resourceVersion string) {
	c.next = Request{Verb: "WATCH", ResourceVersion: resourceVersion}
	c.replay, c.changed = false, nil
}

// forget prepares a list.
func (c *Client) forget() {
	c.next = Request{Verb: "LIST"}
	if c.Streaming {
		c.next = Request{Verb: "WATCH", InitialEvents: true}
	}
	c.replay, c.changed = c.Streaming, nil
}
