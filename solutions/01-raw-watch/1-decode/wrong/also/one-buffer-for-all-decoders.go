// Misconception: A buffer is needed for a moment only, so that all Decoders can have the same.
// Stage: 4
// Base: alt/braces

//go:build wrong

package decode

import (
	"encoding/json"
	"io"
)

var buffer = make([]byte, 32<<10)

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	for {
		if end := d.documentEnd(); end > 0 {
			var event Event
			err := json.Unmarshal(d.pending[:end], &event)
			d.pending, d.seen = d.pending[end:], 0
			if err != nil {
				return Event{}, err
			}
			return classify(event)
		}
		n, err := d.r.Read(buffer)
		d.pending = append(d.pending, buffer[:n]...)
		if n > 0 {
			continue // an error comes back with the next Read
		}
		if err == io.EOF && d.depth > 0 {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return Event{}, err
		}
	}
}
