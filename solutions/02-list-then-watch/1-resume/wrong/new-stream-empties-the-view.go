// Breaks: Until that comes the view stays as it is, and no resourceVersion of these events is a place to start from
// Caught by: TestStreamingListAgain
// Message: it was empty

//go:build wrong

package resume

func (c *Client) Next() Request {
	switch {
	case c.at != "":
		return Request{Verb: "WATCH", ResourceVersion: c.at}
	case c.Streaming:
		c.initial = map[string]string{}
		c.View = nil
		return Request{Verb: "WATCH", InitialEvents: true}
	}
	return Request{Verb: "LIST"}
}
