// Misconception: A goroutine that never waits for the caller needs nobody who ends it.
// Caught by: TestNothingIsLeftBehind
// Message: what tells a goroutine that Next will not be called again.
// Base: alt/lines

//go:build wrong

package decode

import (
	"encoding/json"
	"io"
	"sync"
)

// Decoder gets its events from a goroutine that reads ahead.
type Decoder struct {
	r       io.Reader
	start   sync.Once
	results chan result
}

type result struct {
	event Event
	err   error
}

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{r: r, results: make(chan result, 1000)} }

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	d.start.Do(func() { go d.read() })
	if r, ok := <-d.results; ok {
		return r.event, r.err
	}
	return Event{}, io.EOF
}

// read ends when the stream does, and the results have room for what is on its way.
func (d *Decoder) read() {
	defer close(d.results)
	decoder := json.NewDecoder(d.r)
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
}
