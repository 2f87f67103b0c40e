// Misconception: every event carries a resourceVersion to go on from.
// Caught by: TestFailuresThatLoseNothing
// Message: The object of an ERROR is a Status

//go:build wrong

package resume

func (c *Client) Next() Request {
	switch {
	case c.View != nil && c.at == "":
		return Request{Verb: "WATCH"}
	case c.at != "":
		return Request{Verb: "WATCH", ResourceVersion: c.at}
	case c.Streaming:
		c.initial = map[string]string{}
		return Request{Verb: "WATCH", InitialEvents: true}
	}
	return Request{Verb: "LIST"}
}

func (c *Client) Event(e Event) {
	switch {
	case e.Type == "ERROR":
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
}
