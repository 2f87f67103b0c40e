// Misconception: after an error the only safe thing is to list again.
// Caught by: TestFailuresThatLoseNothing
// Message: the belief that after a failure nothing is certain

//go:build wrong

package resume

func (c *Client) Event(e Event) {
	switch {
	case e.Type == "ERROR":
		c.at = ""
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
}

func (c *Client) Ended(status int) {
	if status != 0 {
		c.at = ""
	}
	c.initial = nil
}
