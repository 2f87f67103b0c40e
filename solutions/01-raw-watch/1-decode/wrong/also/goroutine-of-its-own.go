// Misconception: What reads a stream is a goroutine, and it ends when the stream does.
// Stage: 1
// Base: alt/lines

//go:build wrong

package decode

import (
	"encoding/json"
	"io"
)

// Decoder gets its events from a goroutine that reads ahead.
type Decoder struct{ results chan result }

type result struct {
	event Event
	err   error
}

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	d := &Decoder{results: make(chan result)}
	go func() {
		decoder := json.NewDecoder(r)
		for {
			var event Event
			err := decoder.Decode(&event)
			if err == nil {
				event, err = classify(event)
			}
			d.results <- result{event, err}
			if err != nil {
				return
			}
		}
	}()
	return d
}

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	r := <-d.results
	return r.event, r.err
}
