// Misconception: A decoder is robust when it skips what it cannot read.
// Stage: 2
// Base: alt/lines

//go:build wrong

package decode

import "encoding/json"

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	for {
		line, err := d.lines.ReadBytes('\n')
		if err != nil && len(line) == 0 {
			return Event{}, err
		}
		var event Event
		if json.Unmarshal(line, &event) != nil {
			continue // one bad line must not stop the rest
		}
		return classify(event)
	}
}
