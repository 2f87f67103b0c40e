// Breaks: A LIST that failed, in whatever way, changes nothing: the client begins again.
// Caught by: TestListThatFailed
// Message: it was a WATCH without a resourceVersion

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
	lists   int
	initial map[string]string // the objects of a streaming list that is not complete
}

func (c *Client) Next() Request {
	switch {
	case c.at != "" || c.lists > 0:
		return Request{Verb: "WATCH", ResourceVersion: c.at}
	case c.Streaming:
		c.initial = map[string]string{}
		return Request{Verb: "WATCH", InitialEvents: true}
	}
	c.lists++
	return Request{Verb: "LIST"}
}

func (c *Client) Listed(resourceVersion string, objects map[string]string) {
	c.View = map[string]string{}
	maps.Copy(c.View, objects)
	c.at, c.lists = resourceVersion, 0
}

func (c *Client) Ended(status int) {
	if status != 0 {
		c.lists = 0
	}
	if status == 410 {
		c.at = ""
	}
	c.initial = nil
}
