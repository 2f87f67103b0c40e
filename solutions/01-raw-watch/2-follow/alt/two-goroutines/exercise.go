// Package follow reads in one goroutine and sends in another, with a queue between them, so that a slow
// reader does not hold the stream up.
package follow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// Event is one change of the collection that is watched.
type Event struct {
	Type   string          `json:"type"` // ADDED, MODIFIED, DELETED or BOOKMARK
	Object json.RawMessage `json:"object"`
}

// Watch is a watch that runs.
type Watch struct {
	events chan Event
	err    error // why the watch ended; it has to stand there before events is closed
}

// Events returns the channel that the events come from. It is closed when the watch has ended.
func (w *Watch) Events() <-chan Event { return w.events }

// Err says why the watch ended. It may be called once Events is closed.
func (w *Watch) Err() error { return w.err }

// Follow opens a watch. The package comment says what it promises.
func Follow(ctx context.Context, client *http.Client, url string) (*Watch, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		err := ReadStatus(response)
		response.Body.Close()
		return nil, err
	}
	w := &Watch{events: make(chan Event)}
	read := make(chan result)
	go func() { // reads, and ends when the body does
		decoder := json.NewDecoder(response.Body)
		for {
			event, err := ReadEvent(decoder)
			select {
			case read <- result{event, err}:
			case <-ctx.Done():
			}
			if err != nil || ctx.Err() != nil {
				close(read)
				return
			}
		}
	}()
	go func() { // passes on what the other one has read, from a queue that grows while the reader is busy
		defer close(w.events)
		defer response.Body.Close()
		w.err = w.pass(ctx, read)
	}()
	return w, nil
}

type result struct {
	event Event
	err   error
}

func (w *Watch) pass(ctx context.Context, read <-chan result) error {
	var queue []Event
	var last error
	for read != nil || len(queue) > 0 {
		var out chan<- Event // nil, and so never ready, while there is nothing to send
		var first Event
		if len(queue) > 0 {
			out, first = w.events, queue[0]
		}
		select {
		case r, ok := <-read:
			if !ok || r.err != nil {
				last, read = r.err, nil
				continue
			}
			queue = append(queue, r.event)
		case out <- first:
			queue = queue[1:]
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case last == io.EOF:
		return nil
	}
	return last
}

// ReadEvent waits for the next event. Its error is io.EOF when the stream ended between two events, a *StatusError for
// an ERROR event, and otherwise says how the stream broke.
func ReadEvent(decoder *json.Decoder) (Event, error) {
	var event Event
	if err := decoder.Decode(&event); err != nil {
		return Event{}, err
	}
	switch event.Type {
	case "ADDED", "MODIFIED", "DELETED", "BOOKMARK":
		return event, nil
	case "ERROR":
		return Event{}, decodeStatus(event.Object)
	}
	return Event{}, fmt.Errorf("a document of type %q is no watch event", event.Type)
}

// ReadStatus reads the Status in the body of a refusal. It does not close the body.
func ReadStatus(response *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return fmt.Errorf("%s, and its body: %w", response.Status, err)
	}
	return decodeStatus(body)
}

// StatusError is what the server reports when it refuses a request, or in an ERROR event.
type StatusError struct {
	Code    int    `json:"code"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("%s (%d %s)", e.Message, e.Code, e.Reason)
}

func decodeStatus(document []byte) error {
	status := &StatusError{}
	if err := json.Unmarshal(document, status); err != nil {
		return errors.Join(errors.New("this is no Status"), err)
	}
	return status
}
