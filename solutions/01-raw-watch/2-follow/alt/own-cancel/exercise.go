// Package follow ends the request with a context of its own, keeps a few events in a buffer, and says what it
// was doing when it failed.
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
func Follow(parent context.Context, client *http.Client, url string) (*Watch, error) {
	ctx, cancel := context.WithCancel(parent)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		cancel()
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		cancel()
		return nil, errors.Join(parent.Err(), err)
	}
	if response.StatusCode != http.StatusOK {
		defer cancel()
		defer response.Body.Close()
		return nil, ReadStatus(response)
	}
	w := &Watch{events: make(chan Event, 16)}
	go func() {
		defer cancel()
		w.err = w.pass(parent, json.NewDecoder(response.Body))
		response.Body.Close()
		close(w.events)
	}()
	return w, nil
}

// pass sends events until something ends the watch, and says what it was.
func (w *Watch) pass(ctx context.Context, decoder *json.Decoder) error {
	for {
		event, err := ReadEvent(decoder)
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("stopped watching: %w", errors.Join(ctx.Err(), context.Cause(ctx)))
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("the watch broke: %w", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case w.events <- event:
		}
	}
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
