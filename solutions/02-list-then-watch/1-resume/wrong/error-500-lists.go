// Breaks: Any other ERROR changes nothing: the next WATCH starts from where it would have without it.
// Caught by: TestFailuresThatLoseNothing
// Message: an ERROR event with code 500

//go:build wrong

package resume

func (c *Client) Event(e Event) {
	switch {
	case e.Type == "ERROR":
		if e.Code == 410 || e.Code == 500 {
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
}
