// Package decode is exercise 01.1: decode a watch stream.
//
// The body of a watch is one JSON object per event, and a line feed after each, without an end in sight:
//
//	{"type":"ADDED","object":{"kind":"ConfigMap","metadata":{"name":"a"}}}
//	{"type":"BOOKMARK","object":{"kind":"ConfigMap","metadata":{"resourceVersion":"812"}}}
//	{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"..."}}
//
// Write Decoder, stage by stage, from the standard library. docs/exercises.md says what holds for every exercise.
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

// Next waits for the next event and returns it.
//
// Stage 1: each event, as soon as it is there
//   - ADDED, MODIFIED, DELETED and BOOKMARK come out in the body's order, each once, the Object byte for byte.
//   - Next returns when the event's line feed has come, and waits for nothing behind it.
//   - A Read may bring a piece of an event, or several. An event may be megabytes long.
//
// Stage 2: how the stream ended
//   - When the reader has ended and no event is begun, Next returns io.EOF itself.
//   - When it has ended inside of an event, errors.Is finds io.ErrUnexpectedEOF in the error, and not io.EOF.
//   - When reading has failed, here or there, errors.Is finds the reader's error.
//   - Bytes that come together with an error count first. After an end each call returns an error.
//
// Stage 3: what is no change
//   - An ERROR comes out as an error in which errors.As finds a *StatusError, filled from its object.
//   - A document that has none of the five types, and what is no JSON, is refused with an error.
//   - These errors are no ends: errors.Is finds neither io.EOF nor io.ErrUnexpectedEOF in them.
//
// Stage 4: open for days, one among many
//   - The Decoder keeps no event that it has returned: Object is the caller's, to keep and to change.
//   - NewDecoder does not read: the first event may be hours away.
func (d *Decoder) Next() (Event, error) {
	//solution:begin
	//todo: take the next whole document out of the bytes
	//todo: then look at what it is: a change, an ERROR, or something that does not belong in a watch
	//stub: return Event{}, fmt.Errorf("Next is not written yet")
	var event Event // a new one each time: what was returned before belongs to the caller
	if err := d.json.Decode(&event); err != nil {
		return Event{}, err
	}
	if len(event.Object) == 0 || event.Object[0] != '{' {
		return Event{}, fmt.Errorf("a document of type %q without an object is no watch event", event.Type)
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
