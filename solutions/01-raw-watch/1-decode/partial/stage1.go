// Stage 1 with bufio: the line feed ends an event.

//go:build partial

package decode

import (
	"bufio"
	"encoding/json"
	"io"
)

// Decoder reads one line after the other.
type Decoder struct {
	lines *bufio.Reader // what it has read beyond a line is the next one's
}

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	return &Decoder{lines: bufio.NewReader(r)}
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	line, err := d.lines.ReadBytes('\n') // grows with the line, which has no limit
	if err != nil {
		return Event{}, err
	}
	var event Event
	err = json.Unmarshal(line, &event)
	return event, err
}
