// Breaks: Bytes that come together with an error count first.
// Caught by: TestEndTogetherWithTheBytes
// Message: Next returns two events, then EOF Happened: 1 event, then io.EOF
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
		if err == nil {
			d.pending = append(d.pending, buffer[:n]...)
		}
		if err == io.EOF && d.depth > 0 {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return Event{}, err
		}
	}
}
