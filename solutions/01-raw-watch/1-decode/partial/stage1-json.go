// Stage 1 with json.Decoder, which knows the ends of stage 2 as well.

//go:build partial

package decode

import (
	"encoding/json"
	"io"
)

// Decoder decodes one document after the other.
type Decoder struct {
	json *json.Decoder
}

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	return &Decoder{json: json.NewDecoder(r)}
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	var event Event
	err := d.json.Decode(&event)
	return event, err
}
