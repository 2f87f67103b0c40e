// Misconception: A watch is open when its first event has arrived.
// Caught by: TestReturnsBeforeTheFirstEvent
// Message: Follow has not returned, and did when there was an event Points to: the belief that a watch which is open
// has something to say.

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
	// the watch works when an event comes
	decoder := json.NewDecoder(response.Body)
	first, err := ReadEvent(decoder)
	if err != nil {
		response.Body.Close()
		return nil, err
	}
	w := &Watch{events: make(chan Event, 1)}
	w.events <- first
	go w.run(ctx, response.Body, decoder)
	return w, nil
}

// run reads the stream and passes its events on.
func (w *Watch) run(ctx context.Context, body io.Closer, decoder *json.Decoder) {
	defer close(w.events)
	defer body.Close()
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
		case <-ctx.Done():
			w.err = ctx.Err()
			return
		}
	}
}
