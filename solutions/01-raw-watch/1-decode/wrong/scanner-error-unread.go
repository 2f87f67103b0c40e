// Misconception: Scan returns false at the end of the stream, and only there.
// Caught by: TestReadErrorIsReturned
// Message: the belief that there is one way in which reading stops.
// Removes: wholeLines
// Base: alt/scanner

//go:build wrong

package decode

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
)

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, math.MaxInt)
	return &Decoder{lines: lines}
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	if !d.lines.Scan() {
		return Event{}, io.EOF // no more lines
	}
	var event Event
	if err := json.Unmarshal(d.lines.Bytes(), &event); err != nil {
		return Event{}, io.ErrUnexpectedEOF // half a line
	}
	return classify(event)
}
