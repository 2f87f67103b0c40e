// Breaks: When ctx ends, the watch is over at once, whether events come or not, and whether anybody reads Events or
// not.
// Caught by: TestContextEndsAQuietWatch
// Message: a minute later the server still has the request, and the body is open Points to: the belief that ctx is
// looked at between events.

//go:build wrong

package follow

import (
	"context"
	"net/http"
)

// Follow opens a watch. The package comment says what it promises.
func Follow(ctx context.Context, client *http.Client, url string) (*Watch, error) {
	request, err := http.NewRequestWithContext(context.WithoutCancel(ctx), http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
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
