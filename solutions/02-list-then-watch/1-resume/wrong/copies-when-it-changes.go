// Breaks: The map stays the caller's: the client does not change it, and the caller may.
// Caught by: TestTheListsMapIsTheCallers
// Message: it was "a" at 12, "b" at 17, "z" at 1

//go:build wrong

package resume

import "maps"

// Client is the state machine. The caller asks Next for a request and sends it. For a LIST it then
// calls Listed, or Ended if that failed; for a WATCH it calls Event for each event and Ended when
// there are no more. Then it asks Next again. Two clients have nothing in common.
type Client struct {
	// Streaming has the client begin with a streaming list where it would else LIST.
	Streaming bool
	// View is the local copy: the resourceVersion of each object, by name.
	View    map[string]string
	at      string // where a watch may start from; "" is nowhere
	shared  bool
	initial map[string]string // the objects of a streaming list that is not complete
}

func (c *Client) Listed(resourceVersion string, objects map[string]string) {
	if objects == nil {
		objects = map[string]string{}
	}
	c.View, c.shared = objects, true
	c.at = resourceVersion
}

func (c *Client) Event(e Event) {
	if c.shared && e.Name != "" {
		c.View, c.shared = maps.Clone(c.View), false
	}
	switch {
	case e.Type == "ERROR":
		if e.Code == 410 {
			c.at = ""
		}
		return
	case c.initial != nil && e.InitialEventsEnd:
		c.View, c.initial = c.initial, nil
	case c.initial != nil:
		if e.Type == "ADDED" {
			c.initial[e.Name] = e.ResourceVersion
		}
		return // these do not come in the order of their resourceVersions
	case e.Type == "ADDED" || e.Type == "MODIFIED":
		c.View[e.Name] = e.ResourceVersion
	case e.Type == "DELETED":
		delete(c.View, e.Name)
	}
	c.at = e.ResourceVersion
}
