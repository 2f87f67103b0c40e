// Misconception: An ERROR is the server talking to itself: no object changed.
// Caught by: TestErrorEvent
// Message: it returned io.EOF Points to: the belief that an event which changes no object is no news, or that
// the end of the stream tells it again.

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
		switch event.Type {
		case "ADDED", "MODIFIED", "DELETED", "BOOKMARK":
			return event, nil
		case "ERROR":
			continue // nothing changed; what is wrong shows in how the stream ends
		default:
			return Event{}, fmt.Errorf("a document of type %q is no watch event", event.Type)
		}
	}
}
