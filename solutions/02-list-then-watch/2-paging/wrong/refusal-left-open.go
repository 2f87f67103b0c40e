// Breaks: No response's body is left open.
// Caught by: TestRefused
// Message: were open

//go:build wrong

package paging

import (
	"context"
	"encoding/json"
	"net/http"
)

func get(ctx context.Context, client *http.Client, address string) (*page, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		refusal := &statusError{Code: resp.StatusCode}
		json.NewDecoder(resp.Body).Decode(refusal)
		return nil, refusal
	}
	defer resp.Body.Close()
	var p page
	return &p, json.NewDecoder(resp.Body).Decode(&p)
}
