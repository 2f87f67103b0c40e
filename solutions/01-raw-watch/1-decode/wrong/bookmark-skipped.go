// Misconception: A bookmark tells of no change, so that nobody needs to see it.
// Caught by: TestEveryTypeOfEvent
// Message: the belief that a bookmark tells nothing.
// Base: alt/lines

//go:build wrong

package decode

import (
	"encoding/json"
	"io"
)

// Decoder decodes one document after the other.
type Decoder struct{ json *json.Decoder }

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{json: json.NewDecoder(r)} }

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	for {
		var event Event
		if err := d.json.Decode(&event); err != nil {
			return Event{}, err
		}
		if event.Type == "BOOKMARK" {
			continue // no object has changed
		}
		return classify(event)
	}
}
