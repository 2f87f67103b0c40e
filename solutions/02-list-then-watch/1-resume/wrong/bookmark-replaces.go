// Breaks: A BOOKMARK leaves the view as it is.
// Caught by: TestStreamingList
// Message: it was empty

//go:build wrong

package resume

func (c *Client) Event(e Event) {
	switch {
	case e.Type == "ERROR":
		if e.Code == 410 {
			c.at = ""
		}
		return
	case c.Streaming && e.Type == "BOOKMARK":
		c.View, c.initial = c.initial, map[string]string{}
	case c.initial != nil && c.at == "":
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
