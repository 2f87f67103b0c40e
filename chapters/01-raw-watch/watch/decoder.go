package watch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Decoder reads the events of a watch stream, each as soon as its last byte is there. Upstream: rest/watch.Decoder on
// framer.NewJSONFramedReader.
//
// An event has no length in front of it, so its end is where its JSON value ends. The server writes a newline after
// each, but a client that splits at newlines needs a buffer for the longest line,
// and must know that longest line in advance.
type Decoder struct {
	json *json.Decoder
	err  error // what ended the stream: it stays the answer
}

// NewDecoder returns a Decoder that reads from r, which is usually a response's body.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{json: json.NewDecoder(r)} }

// Next waits for the next event. How the stream ended is in its error:
//   - [io.EOF]: between two events, and the reader ended by itself. The server finished the watch; watch again.
//   - [io.ErrUnexpectedEOF] in the chain: inside an event. The half event is not delivered.
//   - anything else: what the reader failed with, or that the bytes are no watch event.
//
// After an error every further call returns the same error.
func (d *Decoder) Next() (Event, error) {
	if d.err != nil {
		return Event{}, d.err
	}
	var wire struct {
		Type   EventType       `json:"type"`
		Object json.RawMessage `json:"object"`
	}
	err := d.json.Decode(&wire)
	if err == nil {
		err = check(wire.Type, wire.Object)
	}
	if err != nil {
		d.err = describe(err)
		return Event{}, d.err
	}
	return Event{Type: wire.Type, Object: wire.Object}, nil
}

// check refuses a JSON document that is no event. To skip it would be to lose a change without a word.
func check(t EventType, object json.RawMessage) error {
	switch t {
	case Added, Modified, Deleted, Bookmark, Error:
	default:
		return fmt.Errorf("a watch stream holds a document of type %q, which is no watch event", t)
	}
	if !bytes.HasPrefix(object, []byte("{")) {
		return fmt.Errorf("a watch stream holds a %s event without an object", t)
	}
	return nil
}

// describe keeps io.EOF as it is, because it is no failure, and says of the rest what was being done.
func describe(err error) error {
	switch {
	case err == io.EOF:
		return io.EOF
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the watch stream was cut: %w", err)
	}
	return fmt.Errorf("reading the watch stream: %w", err)
}
