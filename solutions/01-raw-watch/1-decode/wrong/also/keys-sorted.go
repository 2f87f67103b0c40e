// Breaks: ADDED, MODIFIED, DELETED and BOOKMARK come out in the body's order, each once, the Object byte for byte.
// Stage: 1

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
