// Stage 2 with bufio: ReadBytes returns what it has together with the error, so half a line can be told from none.

//go:build partial

package decode

import (
	"bufio"
	"encoding/json"
	"io"
)

// Decoder reads one line after the other.
type Decoder struct {
	lines *bufio.Reader
}

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	return &Decoder{lines: bufio.NewReader(r)}
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	line, err := d.lines.ReadBytes('\n')
	if err == io.EOF && len(line) > 0 {
		return Event{}, io.ErrUnexpectedEOF
	}
	if err != nil {
		return Event{}, err
	}
	var event Event
	err = json.Unmarshal(line, &event)
	return event, err
}
