// Misconception: a watch after a list knows where the list ended.
// Caught by: TestStart
// Message: the belief that a watch by itself goes on from the list

//go:build wrong

package resume

func (c *Client) Next() Request {
	switch {
	case c.at != "":
		return Request{Verb: "WATCH"}
	case c.Streaming:
		c.initial = map[string]string{}
		return Request{Verb: "WATCH", InitialEvents: true}
	}
	return Request{Verb: "LIST"}
}
