// Breaks: Follow sets no limit of time.
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
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, orEnded(ctx, err)
	}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		return nil, ReadStatus(response)
	}
	w := &Watch{events: make(chan Event)}
	go func() {
		idle := time.AfterFunc(24*time.Hour, func() { response.Body.Close() })
		defer idle.Stop()
		w.run(ctx, response.Body)
	}()
	return w, nil
}
