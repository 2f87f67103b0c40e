// Breaks: What is no watch event is refused with an error, in which errors.Is finds neither io.EOF nor
// io.ErrUnexpectedEOF.
// Caught by: TestNotAWatchEvent
// Message: it returned an ADDED with an empty Object

//go:build wrong

package decode

import (
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
