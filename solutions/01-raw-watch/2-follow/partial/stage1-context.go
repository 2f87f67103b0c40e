// The request has ctx by habit, and the error is kept, whichever it is.

//go:build partial

package follow

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
)

func Follow(ctx context.Context, client *http.Client, url string) (*Watch, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	w := &Watch{events: make(chan Event, 10)}
	go w.read(resp.Body)
	return w, nil
}

func (w *Watch) read(body io.ReadCloser) {
	decoder := json.NewDecoder(body)
	for {
		var event Event
		if event, w.err = ReadEvent(decoder); w.err != nil {
			break
		}
		w.events <- event
	}
	body.Close()
	close(w.events)
}
