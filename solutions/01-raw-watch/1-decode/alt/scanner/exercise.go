// Package decode lifts the limit of bufio.Scanner,
// and keeps Scanner from handing out half a line as a whole one.
package decode

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
)

// Event is one change of the collection that is watched.
type Event struct {
	Type   string          `json:"type"`   // ADDED, MODIFIED, DELETED or BOOKMARK
	Object json.RawMessage `json:"object"` // as the server sent it
}

// StatusError is what the server reports in an ERROR event.
type StatusError struct {
	Code    int    `json:"code"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("%s (%d %s)", e.Message, e.Code, e.Reason)
}

// Decoder scans for lines.
type Decoder struct{ lines *bufio.Scanner }

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, math.MaxInt) // as long as memory lasts
	lines.Split(wholeLines)
	return &Decoder{lines: lines}
}

// wholeLines is bufio.ScanLines, but a last line without its end is an error and not a line.
func wholeLines(data []byte, atEOF bool) (int, []byte, error) {
	if end := bytes.IndexByte(data, '\n'); end >= 0 {
		return end + 1, data[:end], nil
	}
	if atEOF && len(data) > 0 {
		return 0, nil, io.ErrUnexpectedEOF
	}
	return 0, nil, nil
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
	if err := json.Unmarshal(d.lines.Bytes(), &event); err != nil { // copies the object out of the scanner's buffer
		return Event{}, err
	}
	return classify(event)
}

// classify tells a change from an ERROR and from what is no event.
func classify(event Event) (Event, error) {
	if !bytes.HasPrefix(event.Object, []byte("{")) {
		return Event{}, fmt.Errorf("a document of type %q without an object is no watch event", event.Type)
	}
	switch event.Type {
	case "ADDED", "MODIFIED", "DELETED", "BOOKMARK":
		return event, nil
	case "ERROR":
		status := &StatusError{}
		if err := json.Unmarshal(event.Object, status); err != nil {
			return Event{}, err
		}
		return Event{}, status
	}
	return Event{}, fmt.Errorf("a document of type %q is no watch event", event.Type)
}
