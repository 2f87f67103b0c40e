// Breaks: The Decoder keeps no event that it has returned: Object is the caller's, to keep and to change.
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
	long  []byte // where an event is put together that is longer than the reader's buffer
}

// piece is a part of the line, and no copy of it.
type piece []byte

// UnmarshalJSON keeps data itself.
func (p *piece) UnmarshalJSON(data []byte) error {
	*p = data
	return nil
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	line, err := d.lines.ReadSlice('\n')
	if err == nil {
		line = bytes.Clone(line) // it is there until the next Read only
	}
	if err == bufio.ErrBufferFull { // wrong: a copy already, and the next long one is put together in the same place
		for d.long = d.long[:0]; err == bufio.ErrBufferFull; line, err = d.lines.ReadSlice('\n') {
			d.long = append(d.long, line...)
		}
		d.long = append(d.long, line...)
		line = d.long
	}
	if err == io.EOF && len(bytes.TrimSpace(line)) > 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return Event{}, err
	}
	var envelope struct {
		Type   string
		Object piece
	}
	if err := json.Unmarshal(line, &envelope); err != nil {
		return Event{}, fmt.Errorf("a line of %d bytes is no JSON: %w", len(line), err)
	}
	return classify(Event{envelope.Type, json.RawMessage(envelope.Object)})
}
