// Breaks: When ctx ends before the answer, Follow returns at once an error in which errors.Is finds ctx.Err().
// Caught by: TestContextEndsBeforeTheAnswer
// Message: Follow had not returned a minute later Points to: the belief that the server always answers.

//go:build wrong

package follow

import (
	"context"
	"net/http"
)

// Follow opens a watch, and passes on what comes until the watch ends.
func Follow(ctx context.Context, client *http.Client, url string) (*Watch, error) {
	inner, cancel := context.WithCancel(context.WithoutCancel(ctx))
	request, err := http.NewRequestWithContext(inner, http.MethodGet, url, nil)
	if err != nil {
		cancel()
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		cancel()
		return nil, orEnded(ctx, err)
	}
	if response.StatusCode != http.StatusOK {
		defer cancel()
		defer response.Body.Close()
		return nil, ReadStatus(response)
	}
	w := &Watch{events: make(chan Event)}
	stop := context.AfterFunc(ctx, cancel)
	go func() {
		defer cancel()
		defer stop()
		w.run(ctx, response.Body)
	}()
	return w, nil
}
