// Breaks: After status 410 the client begins again as a new client does, but keeps its view until the new list is
// complete.
// Caught by: TestGoneAsStatus
// Message: it was empty

//go:build wrong

package resume

func (c *Client) Next() Request {
	switch {
	case c.at != "":
		return Request{Verb: "WATCH", ResourceVersion: c.at}
	case c.Streaming:
		c.initial = map[string]string{}
		return Request{Verb: "WATCH", InitialEvents: true}
	}
	c.View = nil
	return Request{Verb: "LIST"}
}
