// Breaks: Any other end of a WATCH changes neither the view nor where the next WATCH starts from.
// Caught by: TestFailuresThatLoseNothing
// Message: it was empty

//go:build wrong

package resume

func (c *Client) Ended(status int) {
	if status == 410 {
		c.at = ""
	}
	if status != 0 && status != 410 {
		c.View = map[string]string{}
	}
	c.initial = nil
}
