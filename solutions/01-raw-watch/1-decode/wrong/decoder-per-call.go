// Misconception: A decoder takes from its reader the bytes of the document that it returns, and no more.
// Caught by: TestReadsAreNotEvents
// Message: the belief that what a Read brings ends where the event ends.
// Removes: Decoder.documentEnd
// Base: alt/braces

//go:build wrong

package decode

import (
	"encoding/json"
	"io"
)

// Decoder reads from the body of a watch.
type Decoder struct{ r io.Reader }

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	var event Event
	if err := json.NewDecoder(d.r).Decode(&event); err != nil {
		return Event{}, err
	}
	return classify(event)
}
