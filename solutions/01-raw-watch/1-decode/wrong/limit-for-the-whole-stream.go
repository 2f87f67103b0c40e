// Misconception: What is read from outside needs a limit, and sixteen megabytes are enough for any event.
// Caught by: TestLargeEvent
// Message: Expected: then the same a third time, and Next returns it Happened: it returned the error "unexpected EOF"

//go:build wrong

package decode

import (
	"encoding/json"
	"io"
)

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	return &Decoder{json: json.NewDecoder(io.LimitReader(r, 16<<20))}
}
