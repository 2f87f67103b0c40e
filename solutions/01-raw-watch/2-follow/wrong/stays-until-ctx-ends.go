// Breaks: When the watch has ended or was refused, no goroutine, no open body and no connection in use stays behind.
// Caught by: TestPassesEventsOnUntilTheServerEndsTheWatch
// Message: no goroutine stays behind Happened: one is at exercise.go:

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
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		return nil, ReadStatus(response)
	}
	w := &Watch{events: make(chan Event)}
	go func() { // whatever happens, the body is closed then
		<-ctx.Done()
		response.Body.Close()
	}()
	go w.run(ctx, response.Body)
	return w, nil
}
