// Misconception: A stream is read like a list: look whether there is another element, then return this one.
// Caught by: TestEventArrivesWhileTheStreamIsOpen
// Message: the next time it did was when one more event was there Points to: the belief that something always follows.
// Base: alt/lines

//go:build wrong

package decode

import (
	"encoding/json"
	"io"
)

// Decoder is one event ahead of its caller, so that it knows whether there is another one.
type Decoder struct {
	json *json.Decoder
	next Event
	err  error
}

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	d := &Decoder{json: json.NewDecoder(r)}
	d.advance()
	return d
}

func (d *Decoder) advance() {
	d.next = Event{}
	d.err = d.json.Decode(&d.next)
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	if d.err != nil {
		return Event{}, d.err
	}
	event := d.next
	d.advance()
	return classify(event)
}
