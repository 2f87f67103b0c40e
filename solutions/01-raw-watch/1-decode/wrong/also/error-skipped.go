// Misconception: An ERROR is the server talking to itself: no object changed.
// Stage: 3

//go:build wrong

package decode

import "fmt"

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	for {
		var event Event
		if err := d.json.Decode(&event); err != nil {
			return Event{}, err
		}
		switch event.Type {
		case "ADDED", "MODIFIED", "DELETED", "BOOKMARK":
			return event, nil
		case "ERROR":
			continue // nothing changed; what is wrong shows in how the stream ends
		default:
			return Event{}, fmt.Errorf("a document of type %q is no watch event", event.Type)
		}
	}
}
