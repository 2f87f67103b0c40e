// Misconception: ReadLine reads a line.
// Stage: 1
// Base: alt/lines

//go:build wrong

package decode

import (
	"bufio"
	"encoding/json"
	"io"
)

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	return &Decoder{lines: bufio.NewReaderSize(r, 64<<10)}
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	line, _, err := d.lines.ReadLine()
	if err != nil {
		return Event{}, err
	}
	var event Event
	if err := json.Unmarshal(line, &event); err != nil {
		return Event{}, io.ErrUnexpectedEOF // half a line
	}
	return classify(event)
}
