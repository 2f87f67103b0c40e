// Stage 3 with bufio: the type decides, and what it does not name is refused. The event lies in the Decoder, which
// saves a new one for each call; stage 4 looks at what that costs.

//go:build partial

package decode

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// Decoder reads one line after the other.
type Decoder struct {
	lines *bufio.Reader
	event Event // the last one
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
	d.event.Type = "" // Unmarshal leaves what the line does not name
	if err := json.Unmarshal(line, &d.event); err != nil {
		return Event{}, fmt.Errorf("a line of %d bytes is no event: %w", len(line), err)
	}
	switch d.event.Type {
	case "ADDED", "MODIFIED", "DELETED", "BOOKMARK":
		return d.event, nil
	case "ERROR":
		status := &StatusError{}
		if err := json.Unmarshal(d.event.Object, status); err != nil {
			return Event{}, fmt.Errorf("an ERROR event without a Status: %w", err)
		}
		return Event{}, status
	}
	return Event{}, fmt.Errorf("a document of type %q is no watch event", d.event.Type)
}
