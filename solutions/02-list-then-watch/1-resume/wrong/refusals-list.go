// Breaks: Any other end of a WATCH changes neither the view nor where the next WATCH starts from.
// Caught by: TestFailuresThatLoseNothing
// Message: its refusal with status 400

//go:build wrong

package resume

func (c *Client) Ended(status int) {
	if status >= 400 && status < 500 && status != 429 {
		c.at = ""
	}
	c.initial = nil
}
