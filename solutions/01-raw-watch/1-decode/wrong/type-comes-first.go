// Misconception: The server writes the type first, and no blanks.
// Caught by: TestWhatElseAnEventHas
// Message: an event whose members come in another order
// Base: alt/lines

//go:build wrong

package decode

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	line, err := d.lines.ReadBytes('\n') // grows with the line, which has no limit
	if err == io.EOF && len(bytes.TrimSpace(line)) > 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return Event{}, err
	}
	var event Event
	if !bytes.HasPrefix(line, []byte(`{"type":"`)) {
		return Event{}, errors.New("no event begins like this")
	}
	if err := json.Unmarshal(line, &event); err != nil {
		return Event{}, err
	}
	return classify(event)
}
