// Misconception: A line that does not decode is a broken server, wherever it stands.
// Caught by: TestCutAtEveryByte
// Message: the belief that half a document is the same as a document that is not JSON
// Removes: wholeLines
// Base: alt/scanner

//go:build wrong

package decode

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	return &Decoder{lines: lines}
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
		return Event{}, fmt.Errorf("the server sent no JSON: %w", err)
	}
	return classify(event)
}
