// Misconception: a watch from N sends N again, so the next is N+1.
// Caught by: TestResumeAfterAnEnd
// Message: A watch from N begins after N already

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
	n, _ := strconv.Atoi(e.ResourceVersion)
	c.at = strconv.Itoa(n + 1)
}
