// Breaks: No second request is sent.
// Stage: 2

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
		return nil, orEnded(ctx, err)
	}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		refused := ReadStatus(response)
		again, err := client.Do(request)
		if err != nil {
			return nil, refused
		}
		if again.StatusCode != http.StatusOK {
			again.Body.Close()
			return nil, refused
		}
		response = again
	}
	w := &Watch{events: make(chan Event)}
	go w.run(ctx, response.Body)
	return w, nil
}
