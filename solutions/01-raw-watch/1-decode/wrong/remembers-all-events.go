// Breaks: The Decoder keeps no event that it has returned: Object is the caller's, to keep and to change.
// Caught by: TestKeepsNothing
// Message: neither has the Decoder Happened: the program holds

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
	past []Event
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	var event Event // a new one each time: what was returned before belongs to the caller
	if err := d.json.Decode(&event); err != nil {
		return Event{}, err
	}
	if len(event.Object) == 0 || event.Object[0] != '{' {
		return Event{}, fmt.Errorf("a document of type %q without an object is no watch event", event.Type)
	}
	d.past = append(d.past, event)
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
