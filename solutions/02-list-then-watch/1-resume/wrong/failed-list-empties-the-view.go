// Breaks: A LIST that failed, in whatever way, changes nothing: the client begins again.
// Caught by: TestListThatFailed
// Message: it was empty

//go:build wrong

package resume

func (c *Client) Ended(status int) {
	if status == 410 {
		c.at = ""
	}
	if c.at == "" && status >= 500 {
		c.View = nil
	}
	c.initial = nil
}
