// Breaks: Its Object is what stands in the event's object, byte for byte.
// Caught by: TestWhatAnObjectHolds
// Message: it returned an ADDED with the Object {"kind":"Secret","object":{"type":"BOOKMARK"},"type":"ERROR"}

//go:build wrong

package decode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	var event Event // a new one each time: what was returned before belongs to the caller
	if err := d.json.Decode(&event); err != nil {
		return Event{}, err
	}
	decoder := json.NewDecoder(bytes.NewReader(event.Object))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil || object == nil {
		return Event{}, fmt.Errorf("a document of type %q without an object is no watch event", event.Type)
	}
	event.Object, _ = json.Marshal(object)
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
