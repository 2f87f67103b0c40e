// Breaks: ADDED, MODIFIED, DELETED and BOOKMARK come out in the body's order, each once, the Object byte for byte.
// Stage: 1

//go:build wrong

package decode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Next returns the newest of the events that are there.
func (d *Decoder) Next() (Event, error) {
	for {
		event, err := d.one()
		buffered, _ := io.ReadAll(d.json.Buffered())
		if err != nil || bytes.Count(buffered, []byte("\n")) < 2 {
			return event, err
		}
	}
}

func (d *Decoder) one() (Event, error) {
	var event Event // a new one each time: what was returned before belongs to the caller
	if err := d.json.Decode(&event); err != nil {
		return Event{}, err
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
