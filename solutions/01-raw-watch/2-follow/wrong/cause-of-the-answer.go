// Breaks: When ctx has ended, before the server's answer or during the watch, errors.Is finds ctx.Err() in what
// Follow or Err returns, also when ctx has a cause of its own.
// Caught by: TestContextEndsWithACause
// Message: Follow returned "Get \"http://api.test/api/v1/namespaces/default/configmaps?labelSelector=app%3Dwe ...
// ue\": the user has closed the window"

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
