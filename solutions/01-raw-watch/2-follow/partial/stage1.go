// One GET, one goroutine, and nothing that could go wrong.

//go:build partial

package follow

import (
	"context"
	"encoding/json"
	"net/http"
)

func Follow(ctx context.Context, client *http.Client, url string) (*Watch, error) {
	response, err := client.Get(url)
	if err != nil {
		return nil, err
	}
	w := &Watch{events: make(chan Event)}
	go func() {
		defer close(w.events)
		defer response.Body.Close()
		decoder := json.NewDecoder(response.Body)
		for {
			event, err := ReadEvent(decoder)
			if err != nil {
				return
			}
			w.events <- event
		}
	}()
	return w, nil
}
