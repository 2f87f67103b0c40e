// Misconception: A body whose first document is an event is a watch, and needs no second look.
// Stage: 3

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
	watch bool
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	var event Event
	if err := d.json.Decode(&event); err != nil {
		return Event{}, err
	}
	if d.watch && event.Type != "ERROR" {
		return event, nil
	}
	d.watch = true
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
