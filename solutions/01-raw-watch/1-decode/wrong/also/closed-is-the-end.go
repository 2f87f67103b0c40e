// Misconception: A connection that was closed has ended as it should.
// Stage: 2

//go:build wrong

package decode

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
)

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	var event Event
	err := d.json.Decode(&event)
	if errors.Is(err, net.ErrClosed) || errors.Is(err, io.ErrClosedPipe) {
		return Event{}, io.EOF
	}
	if err != nil {
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
