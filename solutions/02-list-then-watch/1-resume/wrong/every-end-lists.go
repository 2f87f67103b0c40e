// Misconception: a watch that ended has failed, and what it missed must be listed.
// Caught by: TestResumeAfterAnEnd
// Message: the belief that a watch that ends has failed

//go:build wrong

package resume

func (c *Client) Ended(status int) {
	c.at = ""
	c.initial = nil
}
