// Breaks: The Decoder keeps no event that it has returned: Object is the caller's, to keep and to change.
// Stage: 4
// Base: alt/braces

//go:build wrong

package decode

import (
	"bytes"
	"encoding/json"
	"io"
)

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	buffer := make([]byte, 32<<10)
	for {
		if end := d.documentEnd(); end > 0 {
			document := d.pending[:end]
			var event Event
			err := json.Unmarshal(document, &event)
			d.pending, d.seen = d.pending[end:], 0
			if err != nil {
				return Event{}, err
			}
			if at := bytes.Index(document, event.Object); at > 0 && len(event.Object) > 0 {
				event.Object = json.RawMessage(document[at : at+len(event.Object)])
			}
			return classify(event)
		}
		n, err := d.r.Read(buffer)
		d.pending = append(d.pending, buffer[:n]...)
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
