// Misconception: The message is what matters in an error.
// Caught by: TestErrorEvent
// Message: the belief that an error is a text for people. A caller has to tell a 410 from a 500 without reading English

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
	switch event.Type {
	case "ADDED", "MODIFIED", "DELETED", "BOOKMARK":
		return event, nil
	case "ERROR":
		var status struct {
			Message string `json:"message"`
		}
		if err := json.Unmarshal(event.Object, &status); err != nil {
			return Event{}, err
		}
		return Event{}, errors.New("watch failed: " + status.Message)
	}
	return Event{}, fmt.Errorf("a document of type %q is no watch event", event.Type)
}
