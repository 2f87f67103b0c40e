// Breaks: When the server refuses the watch, with any status but 200, Follow returns an error.
// Caught by: TestRefused
// Message: Follow returned a Watch and no error; Events was closed at once, and Err said "a document of type \"\" is
// no watch event"

//go:build wrong

package follow

import (
	"context"
	"net/http"
)

// Follow opens a watch. The package comment says what it promises.
func Follow(ctx context.Context, client *http.Client, url string) (*Watch, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, orEnded(ctx, err)
	}
	if response.StatusCode >= 400 {
		defer response.Body.Close()
		return nil, ReadStatus(response)
	}
	w := &Watch{events: make(chan Event)}
	go w.run(ctx, response.Body)
	return w, nil
}
