// Breaks: Next returns when the event's line feed has come, and waits for nothing behind it.
// Stage: 1
// Base: alt/lines

//go:build wrong

package decode

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{lines: bufio.NewReaderSize(r, 64<<10)} }

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	var line []byte
	piece, err := d.lines.ReadSlice('\n')
	for line = append(line, piece...); err == bufio.ErrBufferFull; line = append(line, piece...) {
		_, _ = d.lines.Peek(d.lines.Size()) // wrong: a long event is taken in large pieces, and its last one is small
		piece, err = d.lines.ReadSlice('\n')
	}
	if err == io.EOF && len(bytes.TrimSpace(line)) > 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return Event{}, err
	}
	var event Event
	if err := json.Unmarshal(line, &event); err != nil {
		return Event{}, fmt.Errorf("a line of %d bytes is no JSON: %w", len(line), err)
	}
	return classify(event)
}
