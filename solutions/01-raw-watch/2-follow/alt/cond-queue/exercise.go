// Package follow keeps what was read and not taken in a queue behind a lock:
// one goroutine fills it, the other empties it.
package follow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
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

// queue is what was read and not taken.
type queue struct {
	mu     sync.Mutex // guards the rest
	cond   *sync.Cond // for a change of it
	events []Event
	over   bool
}

// Follow opens a watch. The package comment says what it promises.
func Follow(ctx context.Context, client *http.Client, url string) (*Watch, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, errors.Join(err, ctx.Err())
	}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		return nil, ReadStatus(response)
	}
	w := &Watch{events: make(chan Event)}
	q := &queue{}
	q.cond = sync.NewCond(&q.mu)
	var ended error
	read := make(chan struct{})
	go func() {
		defer close(read)
		decoder := json.NewDecoder(response.Body)
		for {
			event, err := ReadEvent(decoder)
			q.mu.Lock()
			if err != nil {
				q.over, ended = true, err
			} else {
				q.events = append(q.events, event)
			}
			q.cond.Broadcast()
			q.mu.Unlock()
			if err != nil {
				response.Body.Close()
				return
			}
		}
	}()
	go func() {
		defer close(w.events)
		for {
			q.mu.Lock()
			for len(q.events) == 0 && !q.over {
				q.cond.Wait()
			}
			if len(q.events) == 0 {
				q.mu.Unlock()
				break
			}
			first := q.events[0]
			q.events = q.events[1:]
			q.mu.Unlock()
			select {
			case w.events <- first:
				continue
			case <-ctx.Done():
			}
			break
		}
		if ctx.Err() != nil {
			response.Body.Close()
		}
		<-read
		switch {
		case ctx.Err() != nil:
			w.err = ctx.Err()
		case ended != io.EOF:
			w.err = ended
		}
	}()
	return w, nil
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
