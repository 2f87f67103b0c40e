// Breaks: After an ERROR with code 410 the client begins again as a new client does, but keeps its view until the new
// list is complete.
// Caught by: TestStreamingListAgain
// Message: it was a LIST without a resourceVersion

//go:build wrong

package resume

func (c *Client) Next() Request {
	switch {
	case c.at != "":
		return Request{Verb: "WATCH", ResourceVersion: c.at}
	case c.Streaming && c.View == nil:
		c.initial = map[string]string{}
		return Request{Verb: "WATCH", InitialEvents: true}
	}
	return Request{Verb: "LIST"}
}
