// Misconception: One HTTP client is as good as another.
// Stage: 1

//go:build wrong

package follow

import (
	"context"
	"net/http"
)

// Follow opens a watch, and passes on what comes until the watch ends.
func Follow(ctx context.Context, _ *http.Client, url string) (*Watch, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		return nil, ReadStatus(response)
	}
	w := &Watch{events: make(chan Event)}
	go w.run(ctx, response.Body)
	return w, nil
}
