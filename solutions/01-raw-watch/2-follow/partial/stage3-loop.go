// Another one, whose loop looks at ctx in each round, and closes the body when ctx ends.

//go:build partial

package follow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

func Follow(ctx context.Context, client *http.Client, url string) (*Watch, error) {
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req.WithContext(ctx))
	if err != nil {
		return nil, fmt.Errorf("watching: %w", err)
	}
	if resp.StatusCode != 200 {
		err := ReadStatus(resp)
		resp.Body.Close()
		return nil, err
	}
	w := &Watch{events: make(chan Event, 10)}
	go w.read(ctx, resp.Body)
	return w, nil
}

func (w *Watch) read(ctx context.Context, body io.ReadCloser) {
	defer close(w.events)
	defer body.Close()
	stop := context.AfterFunc(ctx, func() { body.Close() })
	defer stop()
	decoder := json.NewDecoder(body)
	for ctx.Err() == nil {
		event, err := ReadEvent(decoder)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil && ctx.Err() == nil {
			w.err = fmt.Errorf("the watch broke: %w", err)
			return
		}
		if err == nil {
			w.events <- event
		}
	}
	w.err = ctx.Err()
}
