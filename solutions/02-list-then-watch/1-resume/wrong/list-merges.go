// Misconception: a list brings news: what it holds is put into the view.
// Caught by: TestListAgain
// Message: the belief that every deletion is told

//go:build wrong

package resume

import "maps"

func (c *Client) Listed(resourceVersion string, objects map[string]string) {
	if c.View == nil {
		c.View = map[string]string{}
	}
	maps.Copy(c.View, objects)
	c.at = resourceVersion
}
