// Misconception: What stands on the wire is the object, with its type in front.
// Stage: 1

//go:build wrong

package decode

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	var document json.RawMessage
	if err := d.json.Decode(&document); err != nil {
		return Event{}, err
	}
	var event Event
	if err := json.Unmarshal(document, &event); err != nil {
		return Event{}, err
	}
	if len(event.Object) == 0 || event.Object[0] != '{' {
		return Event{}, fmt.Errorf("a document of type %q without an object is no watch event", event.Type)
	}
	switch event.Type {
	case "ADDED", "MODIFIED", "DELETED", "BOOKMARK":
		event.Object = document
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
