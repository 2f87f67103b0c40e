// Breaks: It is text: it is copied, and neither compared nor computed with.
// Caught by: TestResourceVersionsAreText
// Message: the view is "a" at 0007

//go:build wrong

package resume

import "strconv"

func (c *Client) Event(e Event) {
	n, _ := strconv.ParseFloat(e.ResourceVersion, 64)
	at, _ := strconv.ParseFloat(c.at, 64)
	if c.at != "" && e.Type != "ERROR" && n < at {
		return
	}
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
	c.at = e.ResourceVersion
}
