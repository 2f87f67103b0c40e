// Misconception: An Event that is returned by value is a copy of all that is in it.
// Caught by: TestObjectsAreTheCallersToKeep
// Message: the belief that a slice is a copy. The bytes that were returned with one event are where a later
// one was written

package decode

import (
	"encoding/json"
	"fmt"
	"io"
)

// Event is one change of the collection that is watched.
type Event struct {
	Type   string          `json:"type"`   // ADDED, MODIFIED, DELETED or BOOKMARK
	Object json.RawMessage `json:"object"` // as the server sent it
}

// StatusError is what the server reports in an ERROR event.
type StatusError struct {
	Code    int    `json:"code"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("%s (%d %s)", e.Message, e.Code, e.Reason)
}

// Decoder decodes one document after the other into the same event, which saves the garbage collector work.
type Decoder struct {
	json  *json.Decoder
	event Event
}

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{json: json.NewDecoder(r)} }

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	d.event.Type = ""
	if err := d.json.Decode(&d.event); err != nil {
		return Event{}, err
	}
	return classify(d.event)
}

// classify tells a change from an ERROR and from what is no event.
func classify(event Event) (Event, error) {
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
	return Event{}, fmt.Errorf("a document of type %q is no watch event", event.Type)
}
