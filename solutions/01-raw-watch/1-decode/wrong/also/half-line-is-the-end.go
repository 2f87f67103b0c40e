// Misconception: When the reader says io.EOF the stream has ended well, and what was read of the last line can go.
// Stage: 2
// Base: alt/lines

//go:build wrong

package decode

import "encoding/json"

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	line, err := d.lines.ReadBytes('\n')
	if err != nil {
		return Event{}, err // io.EOF: the stream has ended
	}
	var event Event
	if err := json.Unmarshal(line, &event); err != nil {
		return Event{}, err
	}
	return classify(event)
}
