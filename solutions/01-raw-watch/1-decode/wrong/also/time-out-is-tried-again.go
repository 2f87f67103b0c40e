// Breaks: When reading has failed, here or there, errors.Is finds the reader's error.
// Stage: 2

//go:build wrong

package decode

import (
	"encoding/json"
	"errors"
	"io"
	"os"
)

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{json: json.NewDecoder(patient{r})} }

// patient reads again after a time-out.
type patient struct{ r io.Reader }

func (p patient) Read(b []byte) (int, error) {
	for {
		n, err := p.r.Read(b)
		if n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
	}
}
