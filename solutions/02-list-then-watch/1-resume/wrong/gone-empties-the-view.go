// Breaks: After status 410 the client begins again as a new client does, but keeps its view until the new list is
// complete.
// Caught by: TestGoneAsStatus
// Message: it was empty

//go:build wrong

package resume

func (c *Client) Ended(status int) {
	if status == 410 {
		c.at, c.View = "", nil
	}
	c.initial = nil
}
