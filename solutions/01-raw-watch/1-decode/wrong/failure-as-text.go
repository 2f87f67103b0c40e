// Breaks: When the reader has failed with another error, between two events or inside of one, errors.Is finds that
// error in what Next returns.
// Caught by: TestReadErrorIsReturned
// Message: 2 events, then the error "reading the watch stream: read tcp 10.0.0.7: connection reset by peer"

//go:build wrong

package decode

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	var event Event // a new one each time: what was returned before belongs to the caller
	if err := d.json.Decode(&event); err != nil {
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return Event{}, err
		}
		return Event{}, fmt.Errorf("reading the watch stream: %v", err)
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
