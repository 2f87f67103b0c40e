// Misconception: A response is read, then decoded.
// Caught by: TestEventArrivesWhileTheStreamIsOpen
// Message: Next returned nothing until the stream had ended Points to: the belief that a response is there as
// a whole before it is taken apart.

package decode

import (
	"bytes"
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

// Decoder hands out the documents of a body.
type Decoder struct {
	r      io.Reader
	events [][]byte
	read   bool
}

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{r: r} }

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	if !d.read {
		body, err := io.ReadAll(d.r)
		if err != nil {
			return Event{}, err
		}
		d.read = true
		d.events = bytes.Split(bytes.TrimSpace(body), []byte("\n"))
	}
	if len(d.events) == 0 {
		return Event{}, io.EOF
	}
	var event Event
	if err := json.Unmarshal(d.events[0], &event); err != nil {
		return Event{}, io.ErrUnexpectedEOF
	}
	d.events = d.events[1:]
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
