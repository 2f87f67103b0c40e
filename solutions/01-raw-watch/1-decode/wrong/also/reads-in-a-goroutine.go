// Breaks: NewDecoder does not read: the first event may be hours away.
// Stage: 4
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
	ready chan struct{} // closed when the first bytes are there
}

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	d := &Decoder{lines: bufio.NewReader(r), ready: make(chan struct{})}
	go func() {
		defer close(d.ready)
		_, _ = d.lines.Peek(1)
	}()
	return d
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	<-d.ready
	line, err := d.lines.ReadBytes('\n') // grows with the line, which has no limit
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
