// Breaks: a Read may bring one byte, three events and a half, or nothing, which is no end.
// Caught by: TestReadsOfNothing
// Message: "multiple Read calls return no data or error"

//go:build wrong

package decode

import (
	"encoding/json"
	"io"
)

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{json: json.NewDecoder(impatient{r})} }

// impatient reads 10 times in vain, and then no more.
type impatient struct{ r io.Reader }

func (i impatient) Read(b []byte) (int, error) {
	for range 10 {
		if n, err := i.r.Read(b); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress // wrong: ten times is not too often
}
