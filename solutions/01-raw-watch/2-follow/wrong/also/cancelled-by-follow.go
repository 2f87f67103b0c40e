// Misconception: A context that a function derives ends with that function.
// Stage: 1

//go:build wrong

package follow

import (
	"context"
	"net/http"
)

// Follow opens a watch, and passes on what comes until the watch ends.
func Follow(ctx context.Context, client *http.Client, url string) (*Watch, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // vet: the cancel function is not used on all paths
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
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
