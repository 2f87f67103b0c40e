// Misconception: What decodes into an Event without an error is an event.
// Caught by: TestNotAWatchEvent
// Message: the belief that JSON which decodes without an error is what was asked for.

//go:build wrong

package decode

import "encoding/json"

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	var event Event
	if err := d.json.Decode(&event); err != nil {
		return Event{}, err
	}
	if event.Type == "ERROR" {
		status := &StatusError{}
		if err := json.Unmarshal(event.Object, status); err != nil {
			return Event{}, err
		}
		return Event{}, status
	}
	return event, nil
}
