// Misconception: initial events are ADDED events like others: they add to the view.
// Caught by: TestStreamingListAgain
// Message: only its absence from the second list says so

//go:build wrong

package resume

import "maps"

func (c *Client) Event(e Event) {
	switch {
	case e.Type == "ERROR":
		if e.Code == 410 {
			c.at = ""
		}
		return
	case c.initial != nil && e.InitialEventsEnd:
		if c.View == nil {
			c.View = map[string]string{}
		}
		maps.Copy(c.View, c.initial)
		c.initial = nil
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
