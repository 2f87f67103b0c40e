// Breaks: After an end each call returns an error.
// Caught by: TestAfterTheEnd
// Message: Next returned the error "EOF", and at call 1 after that an event without a type, and no error

//go:build wrong

package decode

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Decoder reads the events of one watch.
type Decoder struct {
	json  *json.Decoder
	ended bool
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	if d.ended {
		return Event{}, nil // said already
	}
	var event Event // a new one each time: what was returned before belongs to the caller
	if err := d.json.Decode(&event); err != nil {
		d.ended = true
		return Event{}, err
	}
	if len(event.Object) == 0 || event.Object[0] != '{' {
		return Event{}, fmt.Errorf("a document of type %q without an object is no watch event", event.Type)
	}
	switch event.Type {
	case "ADDED", "MODIFIED", "DELETED", "BOOKMARK":
		return event, nil
	case "ERROR":
		status := &StatusError{}
		if err := json.Unmarshal(event.Object, status); err != nil {
			return Event{}, errors.Join(errors.New("an ERROR event without a Status"), err)
		}
		return Event{}, status
	}
	return Event{}, fmt.Errorf("a document of type %q is no watch event", event.Type)
}
