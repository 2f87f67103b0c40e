// Breaks: A list without objects is complete like any other; its map may be nil.
// Caught by: TestNilMap
// Message: assignment to entry in nil map

//go:build wrong

package resume

import "maps"

func (c *Client) Listed(resourceVersion string, objects map[string]string) {
	c.View = maps.Clone(objects)
	c.at = resourceVersion
}
