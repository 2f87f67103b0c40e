// Misconception: What a client does not know it skips, so that newer servers do not break it.
// Caught by: TestNotAWatchEvent
// Message: the belief that what one does not know can be skipped.

//go:build wrong

package decode

import "encoding/json"

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
			status := &StatusError{}
			if err := json.Unmarshal(event.Object, status); err != nil {
				return Event{}, err
			}
			return Event{}, status
		}
		// a newer server may send types that are not known yet
	}
}
