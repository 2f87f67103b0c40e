// Misconception: To decode JSON and to encode it again gives the JSON back.
// Caught by: TestWhatAnObjectHolds
// Message: the belief that JSON which goes through a Go value and back is the same JSON.
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
	var document struct {
		Type   string `json:"type"`
		Object any    `json:"object"`
	}
	if err := d.json.Decode(&document); err != nil {
		return Event{}, err
	}
	object, err := json.Marshal(document.Object)
	if err != nil {
		return Event{}, err
	}
	return classify(Event{Type: document.Type, Object: object})
}
