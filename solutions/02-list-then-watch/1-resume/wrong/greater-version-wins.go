// Breaks: The next WATCH starts from the list's resourceVersion, whatever was known before.
// Caught by: TestListIsWhatCounts
// Message: it was a WATCH from 70

//go:build wrong

package resume

import (
	"maps"
	"strconv"
)

// Client is the state machine. The caller asks Next for a request and sends it. For a LIST it then
// calls Listed, or Ended if that failed; for a WATCH it calls Event for each event and Ended when
// there are no more. Then it asks Next again. Two clients have nothing in common.
type Client struct {
	// Streaming has the client begin with a streaming list where it would else LIST.
	Streaming bool
	// View is the local copy: the resourceVersion of each object, by name.
	View     map[string]string
	at       string // where a watch may start from; "" is nowhere
	greatest int
	initial  map[string]string // the objects of a streaming list that is not complete
}

func (c *Client) Listed(resourceVersion string, objects map[string]string) {
	c.View = map[string]string{}
	maps.Copy(c.View, objects)
	c.at = resourceVersion
	if n, err := strconv.Atoi(resourceVersion); err == nil && n > c.greatest {
		c.greatest = n
	} else if err == nil {
		c.at = strconv.Itoa(c.greatest)
	}
}
