// Misconception: A line is a line: bufio.Scanner reads any of them.
// Caught by: TestLargeEvent
// Message: it returned the error "bufio.Scanner: token too long" Points to: the belief that an event is never longer
// than some buffer.
// Removes: wholeLines
// Base: alt/scanner

//go:build wrong

package decode

import (
	"bufio"
	"encoding/json"
	"io"
)

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	return &Decoder{lines: bufio.NewScanner(r)}
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	if !d.lines.Scan() {
		if err := d.lines.Err(); err != nil {
			return Event{}, err
		}
		return Event{}, io.EOF
	}
	var event Event
	if err := json.Unmarshal(d.lines.Bytes(), &event); err != nil {
		return Event{}, io.ErrUnexpectedEOF // half a line
	}
	return classify(event)
}
