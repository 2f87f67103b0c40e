// Package decode is exercise 01.1: decode a watch stream.
//
// The body of a watch is one JSON document per event, without a length in front and without an end in sight:
//
//	{"type":"ADDED","object":{"kind":"ConfigMap", ...}}
//	{"type":"BOOKMARK","object":{"kind":"ConfigMap","metadata":{"resourceVersion":"812"}}}
//	{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"..."}}
//
// Write Decoder, which turns such a body into events. Its Next
//
//   - returns an event as soon as the event's last byte is there, however the bytes were cut up on their way and
//     however long the event is;
//   - returns ADDED, MODIFIED, DELETED and BOOKMARK as an Event, whose Object is the caller's to keep;
//   - returns an ERROR event as an error, in which errors.As finds a *StatusError. (The chapter's decoder leaves that to
//     its caller. This one does not let a caller forget it.)
//   - refuses, with an error, a JSON document that is no watch event;
//   - says at the end how it ended: with io.EOF when the reader ended between two events, with an error in which
//     errors.Is finds io.ErrUnexpectedEOF when it ended inside of one, and with the reader's own error when reading failed.
//
// It is about 30 lines. Grade it with make grade CH=01, and ask for a hint with make hint EX=01.1.
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

// Decoder reads the events of one watch.
type Decoder struct {
	//solution:begin
	//todo: what has to be kept from one Next to the following one
	json *json.Decoder
	//solution:end
}

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	//solution:begin
	//stub: return &Decoder{}
	return &Decoder{json: json.NewDecoder(r)}
	//solution:end
}

// Next waits for the next event and returns it. The package comment says what it returns when there is none.
func (d *Decoder) Next() (Event, error) {
	//solution:begin
	//todo: take the next whole document out of the bytes
	//todo: then look at what it is: a change, an ERROR, or something that does not belong in a watch
	//stub: return Event{}, errors.New("Next is not written yet")
	var event Event // a new one each time: what was returned before belongs to the caller
	if err := d.json.Decode(&event); err != nil {
		return Event{}, err
	}
	switch event.Type {
	case "ADDED", "MODIFIED", "DELETED", "BOOKMARK":
		return event, nil
	case "ERROR":
		status := &StatusError{}
		if err := json.Unmarshal(event.Object, status); err != nil {
			return Event{}, errors.Join(errors.New("an ERROR event without a Status"), err)
		}
		return Event{}, status
	}
	return Event{}, fmt.Errorf("a document of type %q is no watch event", event.Type)
	//solution:end
}
