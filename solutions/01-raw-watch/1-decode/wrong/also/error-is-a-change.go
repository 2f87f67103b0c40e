// Misconception: ERROR is the fifth type of event, and is returned like the other four.
// Stage: 3

//go:build wrong

package decode

import "fmt"

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	var event Event
	if err := d.json.Decode(&event); err != nil {
		return Event{}, err
	}
	switch event.Type {
	case "ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR":
		return event, nil
	}
	return Event{}, fmt.Errorf("a document of type %q is no watch event", event.Type)
}
