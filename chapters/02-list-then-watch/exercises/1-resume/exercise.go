// Package resume is the part of a list-then-watch client that decides: which request comes next, and
// what the view holds. It sends nothing. Something else sends the requests and tells the Client how
// they went, as the tests do.
package resume

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

	// TODO: add the fields you need
}

// Next returns the request to send.
//
//   - A new client begins with a LIST without a resourceVersion.
//   - A new client with Streaming begins with a streaming list instead: a WATCH with InitialEvents and
//     without a resourceVersion.
//   - Once a list or a streaming list is complete, and until a 410, each request is a WATCH without
//     InitialEvents, from the resourceVersion that came last: the list's, or an event's.
func (c *Client) Next() Request {
	// TODO: LIST first, then WATCH, and after an end WATCH again from the right resourceVersion
	return Request{Verb: "LIST"}
}

// Listed takes the answer to a LIST: the list's resourceVersion, which is never empty, and the
// resourceVersion of each object by its name.
//
//   - The view becomes equal to the list: what the list lacks is in the view no more.
//   - A list without objects is complete like any other; its map may be nil.
//   - The next WATCH starts from the list's resourceVersion, whatever was known before.
//   - The map stays the caller's: the client does not change it, and the caller may.
func (c *Client) Listed(resourceVersion string, objects map[string]string) {
	// TODO: what does a list say about the view, and about the watch that follows?
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
	// TODO: each of the five types, and the initial events of a streaming list
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
	// TODO: which ends allow to go on from where the watch was, and which do not?
}
