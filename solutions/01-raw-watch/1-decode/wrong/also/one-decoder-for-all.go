// Misconception: A program has one watch, and a variable of the package is the place for its Decoder.
// Stage: 4

//go:build wrong

package decode

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

var current *json.Decoder

// Decoder reads the events of one watch.
type Decoder struct{}

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	current = json.NewDecoder(r)
	return &Decoder{}
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	var event Event // a new one each time: what was returned before belongs to the caller
	if err := current.Decode(&event); err != nil {
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
