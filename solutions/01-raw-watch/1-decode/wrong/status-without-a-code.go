// Breaks: What the object lacks is zero there.
// Caught by: TestErrorEventsOfOtherKinds
// Message: it returned the error "an ERROR event without a code"

//go:build wrong

package decode

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	var event Event
	if err := d.json.Decode(&event); err != nil {
		return Event{}, err
	}
	var status StatusError
	if event.Type == "ERROR" && json.Unmarshal(event.Object, &status) == nil && status.Code == 0 {
		return Event{}, errors.New("an ERROR event without a code")
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
