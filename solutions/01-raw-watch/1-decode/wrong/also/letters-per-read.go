// Misconception: What a Read brings is text, and can be looked at as text.
// Stage: 1

//go:build wrong

package decode

import (
	"encoding/json"
	"io"
	"strings"
)

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	return &Decoder{json: json.NewDecoder(valid{r})}
}

// valid replaces what is no UTF-8.
type valid struct{ r io.Reader }

func (v valid) Read(p []byte) (int, error) {
	n, err := v.r.Read(p)
	return copy(p, strings.ToValidUTF8(string(p[:n]), "?")), err
}
