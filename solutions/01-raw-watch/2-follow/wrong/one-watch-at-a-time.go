// Breaks: Instances share nothing: two of them work side by side as if the other were not there.
// Caught by: TestWatchesAreOnTheirOwn
// Message: Events was closed, and Err said "context canceled"

//go:build wrong

package follow

import (
	"context"
	"net/http"
	"sync"
)

var current struct {
	sync.Mutex
	cancel context.CancelFunc
}

// Follow opens a watch, and passes on what comes until the watch ends.
func Follow(parent context.Context, client *http.Client, url string) (*Watch, error) {
	ctx, cancel := context.WithCancel(parent)
	current.Lock()
	if current.cancel != nil {
		current.cancel()
	}
	current.cancel = cancel
	current.Unlock()
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
	go w.run(ctx, response.Body)
	return w, nil
}
