// Misconception: json.Unmarshal fills in what the line says, and the rest of the envelope is empty.
// Stage: 3
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

// Decoder reads one line after the other.
type Decoder struct {
	lines *bufio.Reader
	event Event // one for the whole watch
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	line, err := d.lines.ReadBytes('\n') // grows with the line, which has no limit
	if err == io.EOF && len(bytes.TrimSpace(line)) > 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return Event{}, err
	}
	d.event.Object = nil // it is the caller's
	if err := json.Unmarshal(line, &d.event); err != nil {
		return Event{}, fmt.Errorf("a line of %d bytes is no JSON: %w", len(line), err)
	}
	return classify(d.event)
}
