// Breaks: It is text: it is copied, and neither compared nor computed with.
// Caught by: TestOlderNumbers
// Message: Happened: it was "a" at 100

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
		if !older(e.ResourceVersion, c.View[e.Name]) { // wrong: the view need not have the newer one of two numbers
			c.View[e.Name] = e.ResourceVersion
		}
	case e.Type == "DELETED":
		delete(c.View, e.Name)
	}
	c.at = e.ResourceVersion
}

// older reports whether both are numbers, and the first is the smaller one.
func older(a, b string) bool {
	n, err := strconv.ParseInt(a, 10, 64)
	m, err2 := strconv.ParseInt(b, 10, 64)
	return err == nil && err2 == nil && n < m
}
