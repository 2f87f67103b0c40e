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

	//solution:begin
	//todo: add the fields you need
	at      string            // where a watch may start from; "" is nowhere
	initial map[string]string // the objects of a streaming list that is not complete
	//solution:end
}

// Next returns the request to send.
//
//   - A new client begins with a LIST without a resourceVersion.
//   - A new client with Streaming begins with a streaming list instead: a WATCH with InitialEvents and
//     without a resourceVersion.
//   - Once a list or a streaming list is complete, and until a 410, each request is a WATCH without
//     InitialEvents, from the resourceVersion that came last: the list's, or an event's.
func (c *Client) Next() Request {
	//solution:begin
	//todo: LIST first, then WATCH, and after an end WATCH again from the right resourceVersion
	//stub: return Request{Verb: "LIST"}
	switch {
	case c.at != "":
		return Request{Verb: "WATCH", ResourceVersion: c.at}
	case c.Streaming:
		c.initial = map[string]string{}
		return Request{Verb: "WATCH", InitialEvents: true}
	}
	return Request{Verb: "LIST"}
	//solution:end
}

// Listed takes the answer to a LIST: the list's resourceVersion, which is never empty, and the
// resourceVersion of each object by its name.
//
//   - The view becomes equal to the list: what the list lacks is in the view no more.
//   - A list without objects is complete like any other; its map may be nil.
//   - The next WATCH starts from the list's resourceVersion, whatever was known before.
//   - The map stays the caller's: the client does not change it, and the caller may.
func (c *Client) Listed(resourceVersion string, objects map[string]string) {
	//solution:begin
	//todo: what does a list say about the view, and about the watch that follows?
	c.View = map[string]string{}
	maps.Copy(c.View, objects)
	c.at = resourceVersion
	//solution:end
}

// Event takes an event of the current watch.
//
//   - ADDED and MODIFIED put the object into the view, whether it was there or not.
//   - DELETED takes the object out of the view, if it was there.
//   - A BOOKMARK leaves the view as it is.
//   - The resourceVersion of each of these four is where the next WATCH starts from. It is text: it is
//     copied, and neither compared nor computed with.
//   - After an ERROR with code 410 the client begins again as a new client does, but keeps its view until
//     the new list is complete.
//   - Any other ERROR changes nothing: the next WATCH starts from where it would have without it.
//   - A streaming list is the ADDED events up to the BOOKMARK with InitialEventsEnd. Until that comes the
//     view stays as it is, and no resourceVersion of these events is a place to start from: they do
//     not come in the order of their resourceVersions.
//   - With that BOOKMARK the view becomes equal to the objects of the streaming list, even if there are
//     none. What follows in the same watch are changes.
//   - A streaming list that ends before that BOOKMARK, in whatever way, is forgotten with its objects, and
//     the client begins again with another.
func (c *Client) Event(e Event) {
	//solution:begin
	//todo: each of the five types, and the initial events of a streaming list
	switch {
	case e.Type == "ERROR":
		if e.Code == 410 {
			c.at = ""
		}
		return
	case c.initial != nil && e.InitialEventsEnd:
		c.View, c.initial = c.initial, nil
	case c.initial != nil:
		if e.Type == "ADDED" {
			c.initial[e.Name] = e.ResourceVersion
		}
		return // these do not come in the order of their resourceVersions
	case e.Type == "ADDED" || e.Type == "MODIFIED":
		c.View[e.Name] = e.ResourceVersion
	case e.Type == "DELETED":
		delete(c.View, e.Name)
	}
	c.at = e.ResourceVersion
	//solution:end
}

// Ended takes the end of a watch, or of a LIST that failed. Status is the HTTP status with which the
// server refused the request. It is 0 if the server had accepted it: the response ended, or the
// connection broke.
//
//   - After status 410 the client begins again as a new client does, but keeps its view until the new
//     list is complete.
//   - Any other end of a WATCH changes neither the view nor where the next WATCH starts from.
//   - A LIST that failed, in whatever way, changes nothing: the client begins again.
func (c *Client) Ended(status int) {
	//solution:begin
	//todo: which ends allow to go on from where the watch was, and which do not?
	if status == 410 {
		c.at = ""
	}
	c.initial = nil
	//solution:end
}
