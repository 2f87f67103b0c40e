// Misconception: A line that ends too early is a stream that ends too early: unexpected is unexpected.
// Caught by: TestNotAWatchEvent
// Message: the belief that io.ErrUnexpectedEOF says of a document that it is unfinished.

//go:build wrong

package decode

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Decoder reads the events of one watch.
type Decoder struct {
	r *bufio.Reader
}

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	return &Decoder{r: bufio.NewReader(r)}
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	line, err := d.r.ReadBytes('\n')
	if err == io.EOF && len(line) > 0 {
		return Event{}, io.ErrUnexpectedEOF
	}
	if err != nil {
		return Event{}, err
	}
	return parse(line)
}

// parse makes an event, or an error, of a whole line.
func parse(line []byte) (Event, error) {
	var ev Event
	dec := json.NewDecoder(bytes.NewReader(line))
	if err := dec.Decode(&ev); err != nil {
		return Event{}, fmt.Errorf("no watch event: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return Event{}, errors.New("no watch event: there is more behind it")
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
