// Misconception: Every request needs a deadline, and a minute is long.
// Stage: 1

//go:build wrong

package follow

import (
	"context"
	"net/http"
	"time"
)

// Follow opens a watch, and passes on what comes until the watch ends.
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
