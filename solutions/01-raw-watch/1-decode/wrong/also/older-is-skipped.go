// Misconception: Resource versions only grow, so that an event with an old one was there before.
// Stage: 1

//go:build wrong

package decode

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// Decoder reads the events of one watch.
type Decoder struct {
	json *json.Decoder
	at   int
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	var event Event
	if err := d.json.Decode(&event); err != nil {
		return Event{}, err
	}
	var object struct {
		Metadata struct{ ResourceVersion string }
	}
	_ = json.Unmarshal(event.Object, &object)
	if version, err := strconv.Atoi(object.Metadata.ResourceVersion); err == nil {
		if version < d.at {
			return d.Next()
		}
		d.at = version
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
