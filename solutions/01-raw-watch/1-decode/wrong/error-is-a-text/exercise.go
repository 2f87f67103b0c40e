// Misconception: The message is what matters in an error.
// Caught by: TestErrorEvent
// Message: the belief that an error is a text for people. A caller has to tell a 410 from a 500 without
// reading English

package decode

import (
	"encoding/json"
	"errors"
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
	var event Event
	if err := d.json.Decode(&event); err != nil {
		return Event{}, err
	}
	switch event.Type {
	case "ADDED", "MODIFIED", "DELETED", "BOOKMARK":
		return event, nil
	case "ERROR":
		var status struct {
			Message string `json:"message"`
		}
		if err := json.Unmarshal(event.Object, &status); err != nil {
			return Event{}, err
		}
		return Event{}, errors.New("watch failed: " + status.Message)
	}
	return Event{}, fmt.Errorf("a document of type %q is no watch event", event.Type)
}
