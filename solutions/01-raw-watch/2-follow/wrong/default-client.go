// Misconception: One HTTP client is as good as another.
// Caught by: TestPassesEventsOnUntilTheServerEndsTheWatch
// Message: Follow sends its request with the client that it is given

//go:build wrong

package follow

import (
	"context"
	"net/http"
)

// Follow opens a watch. The package comment says what it promises.
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
