// Breaks: Until that comes the view stays as it is, and no resourceVersion of these events is a place to start from
// Caught by: TestStreamingListCutShort
// Message: it was a WATCH from 50

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
		for _, v := range c.View {
			c.at = max(c.at, v)
		}
		if c.at != "" {
			return
		}
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
