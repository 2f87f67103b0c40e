// Breaks: Two clients have nothing in common.
// Caught by: TestTwoClients
// Message: after

//go:build wrong

package resume

// Client is the state machine. The caller asks Next for a request and sends it. For a LIST it then
// calls Listed, or Ended if that failed; for a WATCH it calls Event for each event and Ended when
// there are no more. Then it asks Next again. Two clients have nothing in common.
type Client struct {
	// Streaming has the client begin with a streaming list where it would else LIST.
	Streaming bool
	// View is the local copy: the resourceVersion of each object, by name.
	View map[string]string
	at   string // where a watch may start from; "" is nowhere
}

func (c *Client) Next() Request {
	switch {
	case c.at != "":
		return Request{Verb: "WATCH", ResourceVersion: c.at}
	case c.Streaming:
		initial = map[string]string{}
		return Request{Verb: "WATCH", InitialEvents: true}
	}
	return Request{Verb: "LIST"}
}

func (c *Client) Event(e Event) {
	switch {
	case e.Type == "ERROR":
		if e.Code == 410 {
			c.at = ""
		}
		return
	case initial != nil && e.InitialEventsEnd:
		c.View, initial = initial, nil
	case initial != nil:
		if e.Type == "ADDED" {
			initial[e.Name] = e.ResourceVersion
		}
		return // these do not come in the order of their resourceVersions
	case e.Type == "ADDED" || e.Type == "MODIFIED":
		c.View[e.Name] = e.ResourceVersion
	case e.Type == "DELETED":
		delete(c.View, e.Name)
	}
	c.at = e.ResourceVersion
}

func (c *Client) Ended(status int) {
	if status == 410 {
		c.at = ""
	}
	initial = nil
}

var initial map[string]string
