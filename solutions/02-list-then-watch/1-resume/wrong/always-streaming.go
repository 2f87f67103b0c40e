// Misconception: a client with streaming lists opens every watch as one.
// Caught by: TestStreamingList
// Message: the belief that a streaming list is how such a client always watches

//go:build wrong

package resume

func (c *Client) Next() Request {
	switch {
	case c.Streaming:
		c.initial = map[string]string{}
		return Request{Verb: "WATCH", InitialEvents: true}
	}
	if c.at != "" {
		return Request{Verb: "WATCH", ResourceVersion: c.at}
	}
	return Request{Verb: "LIST"}
}
