// Misconception: A bookmark tells of no change, so that nobody needs to see it.
// Caught by: TestEveryTypeOfEvent
// Message: the belief that a bookmark tells nothing.

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

// Decoder decodes one document after the other.
type Decoder struct{ json *json.Decoder }

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{json: json.NewDecoder(r)} }

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	for {
		var event Event
		if err := d.json.Decode(&event); err != nil {
			return Event{}, err
		}
		if event.Type == "BOOKMARK" {
			continue // no object has changed
		}
		return classify(event)
	}
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
