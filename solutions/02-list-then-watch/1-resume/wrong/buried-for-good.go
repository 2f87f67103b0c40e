// Breaks: ADDED and MODIFIED put the object into the view, whether it was there or not.
// Caught by: TestEventsChangeTheView
// Message: Happened: it was "a" at 26, "c" at 21

//go:build wrong

package resume

// Client is the state machine. The caller asks Next for a request and sends it. For a LIST it then
// calls Listed, or Ended if that failed; for a WATCH it calls Event for each event and Ended when
// there are no more. Then it asks Next again. Two clients have nothing in common.
type Client struct {
	// Streaming has the client begin with a streaming list where it would else LIST.
	Streaming bool
	// View is the local copy: the resourceVersion of each object, by name.
	View    map[string]string
	at      string // where a watch may start from; "" is nowhere
	buried  map[string]bool
	initial map[string]string // the objects of a streaming list that is not complete
}

func (c *Client) Event(e Event) {
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
	case c.buried[e.Name]:
	case e.Type == "ADDED" || e.Type == "MODIFIED":
		c.View[e.Name] = e.ResourceVersion
	case e.Type == "DELETED":
		delete(c.View, e.Name)
		if c.buried == nil {
			c.buried = map[string]bool{}
		}
		c.buried[e.Name] = true
	}
	c.at = e.ResourceVersion
}
