// Misconception: a deleted object has no version any more, so its event is no place to resume from.
// Caught by: TestResumeAfterAnEnd
// Message: the belief that a deletion leaves nothing to remember

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
		delete(c.View, e.Name)
		return
	}
	c.at = e.ResourceVersion
}
