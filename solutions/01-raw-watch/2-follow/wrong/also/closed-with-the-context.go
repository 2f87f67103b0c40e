// Misconception: A watch ends when its context does, so that this is the place to clean up.
// Stage: 1

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
	w := &Watch{events: make(chan Event)}
	context.AfterFunc(ctx, func() { response.Body.Close() }) // whoever ends ctx ends the watch
	go w.run(ctx, response.Body)
	return w, nil
}

// run reads the stream and passes its events on.
func (w *Watch) run(ctx context.Context, body io.Reader) {
	defer close(w.events)
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
		case <-ctx.Done():
			w.err = ctx.Err()
			return
		}
	}
}
