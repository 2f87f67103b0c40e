// Misconception: The server flushes after each event, so each Read of the body returns one event.
// Caught by: TestReadsAreNotEvents
// Message: the belief that one Read of the body (or one HTTP chunk) brings one event, whole.

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

// Decoder reads what the server has flushed, one event each time.
type Decoder struct {
	r      io.Reader
	buffer []byte
}

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{r: r, buffer: make([]byte, 8<<20)} }

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	n, err := d.r.Read(d.buffer)
	if n == 0 {
		return Event{}, err
	}
	var event Event
	if err := json.Unmarshal(d.buffer[:n], &event); err != nil {
		return Event{}, io.ErrUnexpectedEOF
	}
	return classify(event)
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
