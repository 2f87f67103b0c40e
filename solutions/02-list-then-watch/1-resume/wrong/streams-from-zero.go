// Breaks: A new client with Streaming begins with a streaming list instead: a WATCH with InitialEvents and without a
// resourceVersion.
// Caught by: TestStreamingList
// Message: it was a WATCH with initial events from 0

//go:build wrong

package resume

func (c *Client) Next() Request {
	switch {
	case c.at != "":
		return Request{Verb: "WATCH", ResourceVersion: c.at}
	case c.Streaming:
		c.initial = map[string]string{}
		return Request{Verb: "WATCH", InitialEvents: true, ResourceVersion: "0"}
	}
	return Request{Verb: "LIST"}
}
