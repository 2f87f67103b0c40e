// Breaks: A new client begins with a LIST without a resourceVersion.
// Caught by: TestGoneAsStatus
// Message: it was a LIST from 20

//go:build wrong

package resume

import "maps"

// Client is the state machine. The caller asks Next for a request and sends it. For a LIST it then
// calls Listed, or Ended if that failed; for a WATCH it calls Event for each event and Ended when
// there are no more. Then it asks Next again. Two clients have nothing in common.
type Client struct {
	// Streaming has the client begin with a streaming list where it would else LIST.
	Streaming bool
	// View is the local copy: the resourceVersion of each object, by name.
	View    map[string]string
	at      string // where a watch may start from; "" is nowhere
	old     string
	initial map[string]string // the objects of a streaming list that is not complete
}

func (c *Client) Next() Request {
	switch {
	case c.at != "":
		return Request{Verb: "WATCH", ResourceVersion: c.at}
	case c.Streaming:
		c.initial = map[string]string{}
		return Request{Verb: "WATCH", InitialEvents: true}
	}
	return Request{Verb: "LIST", ResourceVersion: c.old}
}

func (c *Client) Listed(resourceVersion string, objects map[string]string) {
	c.View = map[string]string{}
	maps.Copy(c.View, objects)
	c.at, c.old = resourceVersion, resourceVersion
}
