// Package decode makes a json.Decoder for each event, and gives the next one what this one has read beyond it.
package decode

import (
	"bytes"
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

// Decoder reads the events of one watch.
type Decoder struct {
	rest io.Reader // what was read already, and then the body
}

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{rest: r} }

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	var event Event
	one := json.NewDecoder(d.rest)
	err := one.Decode(&event)
	d.rest = io.MultiReader(one.Buffered(), d.rest)
	if err != nil {
		return Event{}, err
	}
	return classify(event)
}

// classify tells a change from an ERROR and from what is no event.
func classify(event Event) (Event, error) {
	if !bytes.HasPrefix(event.Object, []byte("{")) {
		return Event{}, fmt.Errorf("a document of type %q without an object is no watch event", event.Type)
	}
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
