// Breaks: Next returns when the event's line feed has come, and waits for nothing behind it.
// Stage: 1
// Base: alt/braces

//go:build wrong

package decode

import (
	"encoding/json"
	"io"
)

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := d.r.Read(buffer)
		d.pending = append(d.pending, buffer[:n]...)
		if end := d.documentEnd(); end > 0 {
			var event Event
			err := json.Unmarshal(d.pending[:end], &event)
			d.pending, d.seen = d.pending[end:], 0
			if err != nil {
				return Event{}, err
			}
			return classify(event)
		}
		if n == 0 && err == io.EOF && d.depth > 0 {
			err = io.ErrUnexpectedEOF
		}
		if n == 0 && err != nil {
			return Event{}, err
		}
	}
}
