// Misconception: An event that has begun is there in a moment, so a place to put it together can be everybody's.
// Stage: 4
// Base: alt/lines

//go:build wrong

package decode

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// place is where a line is put together.
var (
	placeIsTaken sync.Mutex
	place        []byte
)

// Next waits for the next event and returns it.
func (d *Decoder) Next() (Event, error) {
	if _, err := d.lines.Peek(1); err != nil { // between two events nothing is held
		return Event{}, err
	}
	placeIsTaken.Lock()
	defer placeIsTaken.Unlock()
	piece, err := d.lines.ReadSlice('\n')
	for place = append(place[:0], piece...); err == bufio.ErrBufferFull; place = append(place, piece...) {
		piece, err = d.lines.ReadSlice('\n')
	}
	if err == io.EOF && len(bytes.TrimSpace(place)) > 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return Event{}, err
	}
	var event Event
	if err := json.Unmarshal(place, &event); err != nil {
		return Event{}, fmt.Errorf("a line of %d bytes is no JSON: %w", len(place), err)
	}
	return classify(event)
}
