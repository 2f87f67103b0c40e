// Breaks: ADDED, MODIFIED, DELETED and BOOKMARK come out in the body's order, each once, the Object byte for byte.
// Stage: 1
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
	if err := json.Unmarshal(line, &event); err != nil {
		return Event{}, fmt.Errorf("a line of %d bytes is no JSON: %w", len(line), err)
	}
	var object bytes.Buffer
	_ = json.Compact(&object, event.Object)
	event.Object = object.Bytes()
	return classify(event)
}
