// Breaks: The Decoder keeps no event that it has returned: Object is the caller's, to keep and to change.
// Stage: 4
// Removes: Decoder.documentEnd, classify
// Base: alt/braces

//go:build wrong

package decode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Decoder reads the events of one watch.
type Decoder struct {
	r   io.Reader
	buf []byte
	pos int   // where the next event begins in buf
	end error // how the reader has ended
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	seen := d.pos // before it is no line feed
	for {
		if i := bytes.IndexByte(d.buf[seen:], '\n'); i >= 0 {
			line := d.buf[d.pos : seen+i]
			d.pos = seen + i + 1
			ev, err := parse(line) // copies the object
			if d.pos == len(d.buf) {
				d.buf, d.pos = d.buf[:0], 0 // all of it is returned: begin again
			}
			return ev, err
		}
		seen = len(d.buf)
		if d.end == io.EOF && seen > d.pos {
			return Event{}, io.ErrUnexpectedEOF
		}
		if d.end != nil {
			return Event{}, d.end
		}
		if cap(d.buf)-seen < 512 {
			larger := make([]byte, seen, 2*seen+4096)
			copy(larger, d.buf)
			d.buf = larger
		}
		n, err := d.r.Read(d.buf[seen:cap(d.buf)])
		d.buf = d.buf[:seen+n]
		d.end = err
	}
}

// parse makes an event, or an error, of a whole line.
func parse(line []byte) (Event, error) {
	var ev Event
	if err := json.Unmarshal(line, &ev); err != nil {
		return Event{}, fmt.Errorf("no watch event: %w", err)
	}
	if len(ev.Object) == 0 || ev.Object[0] != '{' {
		return Event{}, errors.New("no watch event: it has no object")
	}
	switch ev.Type {
	case "ADDED", "MODIFIED", "DELETED", "BOOKMARK":
		return ev, nil
	case "ERROR":
		status := &StatusError{}
		if err := json.Unmarshal(ev.Object, status); err != nil {
			return Event{}, fmt.Errorf("an ERROR event without a status: %w", err)
		}
		return Event{}, status
	}
	return Event{}, fmt.Errorf("no watch event: its type is %q", ev.Type)
}
