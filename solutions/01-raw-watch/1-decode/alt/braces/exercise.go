// Package decode finds the end of a document by itself, by its braces, and keeps what was read beyond it.
package decode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
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

// Decoder collects bytes until the braces of a document are closed.
type Decoder struct {
	r       io.Reader
	pending []byte // read, and not returned yet
	seen    int    // how many bytes of pending were looked at
	depth   int
	inText  bool
	escaped bool
}

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{r: r} }

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	buffer := make([]byte, 32<<10)
	for {
		if end := d.documentEnd(); end > 0 {
			var event Event
			err := json.Unmarshal(d.pending[:end], &event)
			d.pending, d.seen = d.pending[end:], 0
			if err != nil {
				return Event{}, err
			}
			return classify(event)
		}
		n, err := d.r.Read(buffer)
		d.pending = append(d.pending, buffer[:n]...)
		if n > 0 {
			continue // an error comes back with the next Read
		}
		if err == io.EOF && d.depth > 0 {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return Event{}, err
		}
	}
}

// documentEnd looks at the bytes that are new, and returns where the first document ends, or 0.
func (d *Decoder) documentEnd() int {
	for ; d.seen < len(d.pending); d.seen++ {
		switch c := d.pending[d.seen]; {
		case d.depth == 0 && c != '{' && !unicode.IsSpace(rune(c)):
			return d.seen + 1 // no event begins like this: Unmarshal refuses it
		case d.escaped:
			d.escaped = false
		case d.inText && c == '\\':
			d.escaped = true
		case c == '\n' && d.depth > 0:
			d.depth, d.inText = 0, false
			return d.seen + 1 // a line that ends before its document: Unmarshal refuses it
		case c == '"':
			d.inText = !d.inText
		case d.inText:
		case c == '{':
			d.depth++
		case c == '}':
			d.depth--
			if d.depth == 0 {
				return d.seen + 1
			}
		}
	}
	return 0
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
