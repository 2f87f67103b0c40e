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
// there are no more. Then it asks Next again. A new Client knows nothing.
type Client struct {
	// Streaming has the client begin with a streaming list where it would else LIST.
	Streaming bool
	// View is the local copy: the resourceVersion of each object, by name. In a new client it is nil.
	View map[string]string

	known   bool   // a state is known, and at is where it ends
	at      string // meaningless unless known
	objects []Event
}

// Next returns the request to send.
func (c *Client) Next() Request {
	switch {
	case c.known:
		return Request{Verb: "WATCH", ResourceVersion: c.at}
	case c.Streaming:
		c.objects = nil
		return Request{Verb: "WATCH", InitialEvents: true}
	}
	return Request{Verb: "LIST"}
}

// Listed takes the answer to a LIST: the list's resourceVersion, and the resourceVersion of each
// object by its name.
func (c *Client) Listed(resourceVersion string, objects map[string]string) {
	c.View = map[string]string{}
	maps.Copy(c.View, objects)
	c.at, c.known = resourceVersion, true
}

// Event takes an event of the current watch.
func (c *Client) Event(e Event) {
	switch {
	case e.Type == "ERROR":
		c.known = c.known && e.Code != 410
		return
	case e.InitialEventsEnd:
		objects := map[string]string{}
		for _, o := range c.objects {
			objects[o.Name] = o.ResourceVersion
		}
		c.Listed(e.ResourceVersion, objects)
	case !c.known:
		if e.Type == "ADDED" {
			c.objects = append(c.objects, e)
		}
		return
	case e.Type == "ADDED" || e.Type == "MODIFIED":
		c.View[e.Name] = e.ResourceVersion
	case e.Type == "DELETED":
		delete(c.View, e.Name)
	}
	c.at = e.ResourceVersion
}

// Ended takes the end of a watch, or of a LIST that failed. Status is the HTTP status with which the
// server refused the request. It is 0 if the server had accepted it: the response ended, or the
// connection broke.
func (c *Client) Ended(status int) {
	c.known = c.known && status != 410
}
