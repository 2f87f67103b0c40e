package watch

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
)

// List is one page of a collection. Upstream: the XxxList types, with their metav1.ListMeta.
type List struct {
	Metadata struct {
		// ResourceVersion is the collection's: a watch that starts from it begins where the list ends.
		ResourceVersion string `json:"resourceVersion"`
		// Continue asks for the next page, and is empty on the last.
		Continue string `json:"continue"`
	} `json:"metadata"`
	Items []json.RawMessage `json:"items"`
}

// List gets the collection at path, or one page of it when the options have a Limit.
func (c *Client) List(ctx context.Context, path string, o Options) (*List, error) {
	resp, err := c.get(ctx, path, o.query(false))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var l List
	if err := json.NewDecoder(resp.Body).Decode(&l); err != nil {
		return nil, fmt.Errorf("the list at %s: %w", path, err)
	}
	// The body ends with a newline that the decoder has no need to read. Only a body read to its end lets the next
	// request reuse the connection.
	_, err = io.Copy(io.Discard, resp.Body)
	return &l, err
}
