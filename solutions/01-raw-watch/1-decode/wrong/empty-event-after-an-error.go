// Breaks: After an ERROR or a refusal Next may go on with what follows, or not.
// Caught by: TestAfterAnErrorOrARefusal
// Message: call 3 of Next returns the MODIFIED (once) or an error Happened: it returned an event without a type

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
	over bool
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	if d.over {
		return Event{}, nil
	}
	var event Event
	if err := d.json.Decode(&event); err != nil {
		return Event{}, err
	}
	event, err := look(event)
	d.over = err != nil
	return event, err
}

func look(event Event) (Event, error) {
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
