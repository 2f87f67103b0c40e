// Breaks: A new client begins with a LIST without a resourceVersion.
// Caught by: TestStart
// Message: it was a LIST from 0

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
	return Request{Verb: "LIST", ResourceVersion: "0"}
}
