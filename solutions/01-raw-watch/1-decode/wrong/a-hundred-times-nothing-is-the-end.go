// Breaks: When a hundred Reads in a row bring nothing, Next may give up, with an error as in 5.
// Caught by: TestReadsOfNothing
// Message: Happened: 0 events, then io.EOF

//go:build wrong

package decode

import (
	"encoding/json"
	"io"
)

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{json: json.NewDecoder(impatient{r})} }

// impatient reads 100 times in vain, and then no more.
type impatient struct{ r io.Reader }

func (i impatient) Read(b []byte) (int, error) {
	for range 100 {
		if n, err := i.r.Read(b); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.EOF // wrong: the reader has not said so
}
