// Misconception: A streaming list that was cut is half done: the next one brings the rest.
// Caught by: TestStreamingListCutShort
// Message: the belief that a streaming list that was cut is half done

//go:build wrong

package resume

func (c *Client) Next() Request {
	switch {
	case c.at != "":
		return Request{Verb: "WATCH", ResourceVersion: c.at}
	case c.Streaming:
		if c.initial == nil {
			c.initial = map[string]string{}
		}
		return Request{Verb: "WATCH", InitialEvents: true}
	}
	return Request{Verb: "LIST"}
}

func (c *Client) Ended(status int) {
	if status == 410 {
		c.at = ""
	}
}
