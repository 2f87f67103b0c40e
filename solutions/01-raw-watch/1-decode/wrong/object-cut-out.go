// Misconception: Where the braces of the object are is all that needs to be known of it.
// Caught by: TestNotAWatchEvent
// Message: the body is an ADDED whose object is no JSON
// Base: alt/lines

//go:build wrong

package decode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	line, err := d.lines.ReadBytes('\n') // grows with the line, which has no limit
	if err == io.EOF && len(bytes.TrimSpace(line)) > 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return Event{}, err
	}
	var event Event
	start := []byte(`{"type":"ADDED","object":{`)
	if end := bytes.TrimSpace(line); bytes.HasPrefix(line, start) && bytes.HasSuffix(end, []byte("}}")) &&
		bytes.Count(end, []byte("{")) == 2 && bytes.Count(end, []byte("}")) == 2 {
		return Event{Type: "ADDED", Object: end[len(start)-1 : len(end)-1]}, nil // need not be decoded
	}
	if err := json.Unmarshal(line, &event); err != nil {
		return Event{}, fmt.Errorf("a line of %d bytes is no JSON: %w", len(line), err)
	}
	return classify(event)
}
