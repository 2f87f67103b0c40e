// Misconception: A line that was returned stays what it is, so that an object needs no copy of its own.
// Caught by: TestObjectsAreTheCallers
// Message: the belief that a slice is a copy. The bytes that were returned with one event are where a later one was
// written
// Base: alt/scanner

//go:build wrong

package decode

import (
	"encoding/json"
	"io"
)

// piece is a part of the line, and no copy of it.
type piece []byte

// UnmarshalJSON keeps data itself.
func (p *piece) UnmarshalJSON(data []byte) error {
	*p = data
	return nil
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	if !d.lines.Scan() {
		if err := d.lines.Err(); err != nil {
			return Event{}, err
		}
		return Event{}, io.EOF
	}
	var envelope struct {
		Type   string
		Object piece
	}
	if err := json.Unmarshal(d.lines.Bytes(), &envelope); err != nil {
		return Event{}, err
	}
	return classify(Event{envelope.Type, json.RawMessage(envelope.Object)})
}
