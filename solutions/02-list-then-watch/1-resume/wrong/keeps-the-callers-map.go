// Breaks: The map stays the caller's: the client does not change it, and the caller may.
// Caught by: TestTheListsMapIsTheCallers
// Message: it was "a" at 12, "b" at 17, "z" at 1

//go:build wrong

package resume

func (c *Client) Listed(resourceVersion string, objects map[string]string) {
	if objects == nil {
		objects = map[string]string{}
	}
	c.View = objects
	c.at = resourceVersion
}
