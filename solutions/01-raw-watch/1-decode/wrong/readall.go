// Misconception: A response is read, then decoded.
// Caught by: TestEventArrivesWhileTheStreamIsOpen
// Message: nothing; the next time it did was when the stream had ended Points to: the belief that a response is there
// as a whole before it is taken apart.
// Removes: Decoder.documentEnd
// Base: alt/braces

//go:build wrong

package decode

import (
	"bytes"
	"encoding/json"
	"io"
)

// Decoder hands out the documents of a body.
type Decoder struct {
	r      io.Reader
	events [][]byte
	read   bool
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	if !d.read {
		body, err := io.ReadAll(d.r)
		if err != nil {
			return Event{}, err
		}
		d.read = true
		d.events = bytes.Split(bytes.TrimSpace(body), []byte("\n"))
	}
	if len(d.events) == 0 {
		return Event{}, io.EOF
	}
	var event Event
	if err := json.Unmarshal(d.events[0], &event); err != nil {
		return Event{}, io.ErrUnexpectedEOF
	}
	d.events = d.events[1:]
	return classify(event)
}
