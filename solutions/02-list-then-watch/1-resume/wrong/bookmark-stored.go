// Misconception: what is no deletion and no error is an object to store.
// Caught by: TestBookmark
// Message: stored it is an object without a name

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
	case e.Type == "DELETED":
		delete(c.View, e.Name)
	default:
		c.View[e.Name] = e.ResourceVersion
	}
	c.at = e.ResourceVersion
}
