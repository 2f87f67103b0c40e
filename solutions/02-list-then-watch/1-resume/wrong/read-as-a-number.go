// Breaks: It is text: it is copied, and neither compared nor computed with.
// Caught by: TestResourceVersionsAreText
// Message: after

//go:build wrong

package resume

import "strconv"

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
	}
	n, _ := strconv.ParseUint(e.ResourceVersion, 10, 64)
	c.at = strconv.FormatUint(n, 10)
}
