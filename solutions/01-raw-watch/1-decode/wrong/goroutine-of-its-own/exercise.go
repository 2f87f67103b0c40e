// Misconception: What reads a stream is a goroutine, and it ends when the stream does.
// Caught by: TestEventArrivesWhileTheStreamIsOpen
// Message: waiting to send to a channel at exercise.go:

package decode

import (
	"encoding/json"
	"fmt"
	"io"
)

// Event is one change of the collection that is watched.
type Event struct {
	Type   string          `json:"type"`   // ADDED, MODIFIED, DELETED or BOOKMARK
	Object json.RawMessage `json:"object"` // as the server sent it
}

// StatusError is what the server reports in an ERROR event.
type StatusError struct {
	Code    int    `json:"code"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("%s (%d %s)", e.Message, e.Code, e.Reason)
}

// Decoder gets its events from a goroutine that reads ahead.
type Decoder struct{ results chan result }

type result struct {
	event Event
	err   error
}

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	d := &Decoder{results: make(chan result)}
	go func() {
		decoder := json.NewDecoder(r)
		for {
			var event Event
			err := decoder.Decode(&event)
			if err == nil {
				event, err = classify(event)
			}
			d.results <- result{event, err}
			if err != nil {
				return
			}
		}
	}()
	return d
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	r := <-d.results
	return r.event, r.err
}

// classify tells a change from an ERROR and from what is no event.
func classify(event Event) (Event, error) {
	switch event.Type {
	case "ADDED", "MODIFIED", "DELETED", "BOOKMARK":
		return event, nil
	case "ERROR":
		status := &StatusError{}
		if err := json.Unmarshal(event.Object, status); err != nil {
			return Event{}, err
		}
		return Event{}, status
	}
	return Event{}, fmt.Errorf("a document of type %q is no watch event", event.Type)
}
