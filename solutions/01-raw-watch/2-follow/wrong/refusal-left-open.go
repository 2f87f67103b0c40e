// Misconception: Only a response that one goes on with has to be closed.
// Caught by: TestRefused
// Message: the belief that only a response one goes on with has to be closed.

//go:build wrong

package follow

import (
	"context"
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
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, ReadStatus(response)
	}
	w := &Watch{events: make(chan Event)}
	go w.run(ctx, response.Body)
	return w, nil
}
