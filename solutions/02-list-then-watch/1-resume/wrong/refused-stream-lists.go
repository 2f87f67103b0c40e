// Breaks: A streaming list that ends before that BOOKMARK, in whatever way, is forgotten with its objects, and the
// client begins again with another.
// Caught by: TestStreamingListRefused
// Message: it was a LIST without a resourceVersion

//go:build wrong

package resume

func (c *Client) Ended(status int) {
	if status >= 500 && c.at == "" {
		c.Streaming = false
	}
	if status == 410 {
		c.at = ""
	}
	c.initial = nil
}
