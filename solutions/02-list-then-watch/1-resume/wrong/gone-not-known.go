// Misconception: a watch that was refused is tried again.
// Caught by: TestGoneAsStatus
// Message: the belief that a watch can always go on from where it was

//go:build wrong

package resume

func (c *Client) Ended(status int) {
	c.initial = nil
}
