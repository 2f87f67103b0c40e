// Misconception: The server flushes after each event, so each Read of the body returns one event.
// Caught by: TestReadsAreNotEvents
// Message: the belief that one Read of the body (or one HTTP chunk) brings one event, whole.
// Base: alt/lines

//go:build wrong

package decode

import (
	"encoding/json"
	"io"
)

// Decoder reads what the server has flushed, one event each time.
type Decoder struct {
	r      io.Reader
	buffer []byte
}

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{r: r, buffer: make([]byte, 8<<20)} }

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	n, err := d.r.Read(d.buffer)
	if n == 0 {
		return Event{}, err
	}
	var event Event
	if err := json.Unmarshal(d.buffer[:n], &event); err != nil {
		return Event{}, io.ErrUnexpectedEOF
	}
	return classify(event)
}
