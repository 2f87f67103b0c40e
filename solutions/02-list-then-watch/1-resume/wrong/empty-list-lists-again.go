// Misconception: A client without objects knows nothing.
// Caught by: TestListWithoutObjects
// Message: the belief that a client without objects knows nothing

//go:build wrong

package resume

func (c *Client) Next() Request {
	switch {
	case c.at != "" && len(c.View) > 0:
		return Request{Verb: "WATCH", ResourceVersion: c.at}
	case c.Streaming:
		c.initial = map[string]string{}
		return Request{Verb: "WATCH", InitialEvents: true}
	}
	return Request{Verb: "LIST"}
}
