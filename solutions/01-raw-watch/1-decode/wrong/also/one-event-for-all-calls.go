// Misconception: An Event that is returned by value is a copy of all that is in it.
// Stage: 4
// Base: alt/lines

//go:build wrong

package decode

import (
	"encoding/json"
	"io"
)

// Decoder decodes one document after the other into the same event, which saves the garbage collector work.
type Decoder struct {
	json  *json.Decoder
	event Event
}

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{json: json.NewDecoder(r)} }

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	d.event.Type = ""
	if err := d.json.Decode(&d.event); err != nil {
		return Event{}, err
	}
	return classify(d.event)
}
