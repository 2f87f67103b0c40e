// Misconception: A stream is read like a list: look whether there is another element, then return this one.
// Caught by: TestEventArrivesWhileTheStreamIsOpen
// Message: Next returned nothing until the second event was there too Points to: the belief that something
// always follows.

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

// Decoder is one event ahead of its caller, so that it knows whether there is another one.
type Decoder struct {
	json *json.Decoder
	next Event
	err  error
}

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	d := &Decoder{json: json.NewDecoder(r)}
	d.advance()
	return d
}

func (d *Decoder) advance() {
	d.next = Event{}
	d.err = d.json.Decode(&d.next)
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	if d.err != nil {
		return Event{}, d.err
	}
	event := d.next
	d.advance()
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
