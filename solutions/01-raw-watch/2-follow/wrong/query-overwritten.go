// Breaks: Follow sends one GET to url as it is given, query and all.
// Caught by: TestTheRequest
// Message: it sent GET /api/v1/namespaces/default/configmaps?watch=true

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
	request.URL.RawQuery = "watch=true"
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
