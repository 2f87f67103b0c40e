// Misconception: A channel with a large buffer does not block.
// Caught by: TestContextEndsAWatchThatNobodyReads
// Message: the belief that a send goes through, because somebody takes what is sent, or because a large buffer is
// never full.

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
	w := &Watch{events: make(chan Event, 5000)}
	go w.run(response.Body)
	return w, nil
}

// run reads the stream and passes its events on.
func (w *Watch) run(body io.ReadCloser) {
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
		w.events <- event // the buffer is large, this does not block
	}
}
