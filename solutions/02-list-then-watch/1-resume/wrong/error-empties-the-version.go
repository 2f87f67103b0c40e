// Misconception: every event says where the client is now.
// Caught by: TestFailuresThatLoseNothing
// Message: the belief that a failure inside a watch is worse than a refusal

//go:build wrong

package resume

func (c *Client) Event(e Event) {
	switch {
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
