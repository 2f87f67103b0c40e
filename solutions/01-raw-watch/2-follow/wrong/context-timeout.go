// Misconception: Every request needs a deadline, and a minute is long.
// Caught by: TestQuietWatchStaysOpen
// Message: after 1m0s Events was closed, and Err said "context deadline exceeded"; ctx had not ended Points to: the
// belief that a limit on a request is a limit on the wait for an answer.

//go:build wrong

package follow

import (
	"context"
	"net/http"
	"time"
)

// Follow opens a watch. The package comment says what it promises.
func Follow(ctx context.Context, client *http.Client, url string) (*Watch, error) {
	limited, cancel := context.WithTimeout(ctx, time.Minute) // every request needs a deadline
	request, err := http.NewRequestWithContext(limited, http.MethodGet, url, nil)
	if err != nil {
		cancel()
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		cancel()
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		defer cancel()
		defer response.Body.Close()
		return nil, ReadStatus(response)
	}
	w := &Watch{events: make(chan Event)}
	go func() {
		defer cancel()
		w.run(ctx, response.Body)
	}()
	return w, nil
}
