// Breaks: what else it has means nothing here.
// Caught by: TestWhatElseAnEventHas
// Message: unknown field

//go:build wrong

package decode

import (
	"encoding/json"
	"io"
)

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	strict := json.NewDecoder(r)
	strict.DisallowUnknownFields() // wrong: a later server may have more to say
	return &Decoder{json: strict}
}
