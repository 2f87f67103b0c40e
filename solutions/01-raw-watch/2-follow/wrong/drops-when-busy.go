// Misconception: A reader that is late gets the next event: it is newer anyway.
// Caught by: TestSlowReaderLosesNothing
// Message: Events was closed, and Err said nil Points to: the belief that a reader which is late can do without.

//go:build wrong

package follow

import (
	"context"
	"encoding/json"
	"io"
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
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		return nil, ReadStatus(response)
	}
	w := &Watch{events: make(chan Event, 100)}
	go w.run(ctx, response.Body)
	return w, nil
}

// run reads the stream and passes its events on.
func (w *Watch) run(ctx context.Context, body io.ReadCloser) {
	defer close(w.events)
	defer body.Close()
	decoder := json.NewDecoder(body)
	for {
		event, err := ReadEvent(decoder)
		if err == io.EOF {
			return
		}
		if err != nil {
			w.err = err
			return
		}
		select {
		case w.events <- event:
		default: // never let a slow reader hold the stream up
		}
		if ctx.Err() != nil {
			w.err = ctx.Err()
			return
		}
	}
}
