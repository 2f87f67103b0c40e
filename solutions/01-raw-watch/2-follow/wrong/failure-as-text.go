// Breaks: When no answer comes, Follow returns an error in which errors.Is finds the client's.
// Caught by: TestNoAnswer
// Message: Follow returned "watching https://127.0.0.1:6443/api/v1/namespaces/default/configmaps?labelSelect ...

//go:build wrong

package follow

import (
	"context"
	"fmt"
	"net/http"
)

// Follow opens a watch, and passes on what comes until the watch ends.
func Follow(ctx context.Context, client *http.Client, url string) (*Watch, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("watching %s: %v", url, err)
	}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		return nil, ReadStatus(response)
	}
	w := &Watch{events: make(chan Event)}
	go w.run(ctx, response.Body)
	return w, nil
}
