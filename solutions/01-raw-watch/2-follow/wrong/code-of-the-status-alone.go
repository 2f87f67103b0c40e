// Breaks: When the body of the refusal is a Status, errors.As finds the *StatusError in it.
// Caught by: TestRefused
// Message: Follow returned a *StatusError with code 403, reason "", message ""

//go:build wrong

package follow

import (
	"context"
	"errors"
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
		refused := ReadStatus(response)
		var status *StatusError
		if errors.As(refused, &status) {
			refused = &StatusError{Code: response.StatusCode}
		}
		return nil, refused
	}
	w := &Watch{events: make(chan Event)}
	go w.run(ctx, response.Body)
	return w, nil
}
