// Misconception: A ConfigMap holds one megabyte at most, so an event does.
// Caught by: TestLargeEvent
// Message: an event of 1.2 MB (a ConfigMap with 600 KB of quotation marks) comes out of Next

package decode

import (
	"bufio"
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

// Decoder scans for lines: there is an event on each.
type Decoder struct{ lines *bufio.Scanner }

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20) // a ConfigMap holds 1 MiB at most
	return &Decoder{lines: lines}
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	if !d.lines.Scan() {
		if err := d.lines.Err(); err != nil {
			return Event{}, err
		}
		return Event{}, io.EOF
	}
	var event Event
	if err := json.Unmarshal(d.lines.Bytes(), &event); err != nil {
		return Event{}, io.ErrUnexpectedEOF // half a line
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
