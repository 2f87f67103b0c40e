// Breaks: The resourceVersion of each of these four is where the next WATCH starts from.
// Caught by: TestResumeAfterAnEnd
// Message: then DELETED z at 21

//go:build wrong

package resume

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
	case e.Type == "ADDED" || e.Type == "MODIFIED":
		c.View[e.Name] = e.ResourceVersion
	case e.Type == "DELETED":
		if _, ok := c.View[e.Name]; !ok {
			return
		}
		delete(c.View, e.Name)
	}
	c.at = e.ResourceVersion
}
