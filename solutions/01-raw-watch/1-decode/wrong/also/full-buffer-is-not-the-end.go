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
	buffer := make([]byte, 4<<10)
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
		for n == len(buffer) && err == nil { // there is more
			n, err = d.r.Read(buffer)
			d.pending = append(d.pending, buffer[:n]...)
		}
		if n > 0 {
			continue
		}
		if err == io.EOF && d.depth > 0 {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return Event{}, err
		}
	}
}
