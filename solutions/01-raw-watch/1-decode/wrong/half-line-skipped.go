// Misconception: A decoder is robust when it skips what it cannot read.
// Caught by: TestCutAtEveryByte
// Message: the belief that what is not a whole event can go. The half one is a change that the caller never gets, and
// it cannot know
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
