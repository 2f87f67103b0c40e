// Misconception: What a client does not know it skips, so that newer servers do not break it.
// Caught by: TestNotAWatchEvent
// Message: the belief that what one does not know can be skipped.

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
			status := &StatusError{}
			if err := json.Unmarshal(event.Object, status); err != nil {
				return Event{}, err
			}
			return Event{}, status
		}
		// a newer server may send types that are not known yet
	}
}
