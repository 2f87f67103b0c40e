// Misconception: A decoder is robust when it skips what it cannot read.
// Caught by: TestCutAtEveryByte
// Message: the belief that what is not a whole event can go. The half one is a change that the caller never
// gets, and it cannot know

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

// Decoder reads one line after the other.
type Decoder struct{ lines *bufio.Reader }

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{lines: bufio.NewReader(r)} }

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	for {
		line, err := d.lines.ReadBytes('\n')
		if err != nil && len(line) == 0 {
			return Event{}, err
		}
		var event Event
		if json.Unmarshal(line, &event) != nil {
			continue // one bad line must not stop the rest
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
