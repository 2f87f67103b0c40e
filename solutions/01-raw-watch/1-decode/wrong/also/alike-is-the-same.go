// Breaks: ADDED, MODIFIED, DELETED and BOOKMARK come out in the body's order, each once, the Object byte for byte.
// Stage: 1

//go:build wrong

package decode

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Decoder reads the events of one watch.
type Decoder struct {
	json *json.Decoder
	last string // the event before
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	var event Event
	if err := d.json.Decode(&event); err != nil {
		return Event{}, err
	}
	if this := event.Type + string(event.Object); this != d.last {
		d.last = this
	} else {
		return d.Next()
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
