// Misconception: http.Client.Timeout bounds the wait for the server to answer.
// Caught by: TestQuietWatchStaysOpen
// Message: after 30s Events was closed Points to: the belief that a limit on a request is a limit on the wait for an
// answer.

//go:build wrong

package follow

import (
	"context"
	"net/http"
	"time"
)

// Follow opens a watch, and passes on what comes until the watch ends.
func Follow(ctx context.Context, client *http.Client, url string) (*Watch, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	limited := *client
	limited.Timeout = 30 * time.Second // never wait for ever
	response, err := limited.Do(request)
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
