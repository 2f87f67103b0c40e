// The request carries ctx, whose end wakes the one who waits for the next event.

//go:build partial

package follow

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
)

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
	go func() {
		defer close(w.events)
		defer response.Body.Close()
		decoder := json.NewDecoder(response.Body)
		for {
			event, err := ReadEvent(decoder)
			if err != nil {
				if err != io.EOF {
					w.err = err
				}
				return
			}
			w.events <- event
		}
	}()
	return w, nil
}
