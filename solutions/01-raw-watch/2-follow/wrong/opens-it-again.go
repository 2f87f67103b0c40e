// Misconception: A watch that breaks goes on when the same request is sent again.
// Caught by: TestSaysWhyTheWatchEnded
// Message: Points to: the belief that to watch again is to go on.
// Removes: Watch.run

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
	body, err := open(ctx, client, url)
	if err != nil {
		return nil, err
	}
	w := &Watch{events: make(chan Event)}
	go func() {
		defer close(w.events)
		for {
			w.err = w.pass(ctx, body)
			body.Close()
			if w.err == nil || ctx.Err() != nil {
				return
			}
			if body, err = open(ctx, client, url); err != nil { // the connection broke: go on with a new one
				w.err = err
				return
			}
		}
	}()
	return w, nil
}

func open(ctx context.Context, client *http.Client, url string) (io.ReadCloser, error) {
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
	return response.Body, nil
}

func (w *Watch) pass(ctx context.Context, body io.Reader) error {
	decoder := json.NewDecoder(body)
	for {
		event, err := ReadEvent(decoder)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		select {
		case w.events <- event:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
