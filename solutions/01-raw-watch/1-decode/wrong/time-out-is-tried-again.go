// Breaks: When the reader has failed with another error, between two events or inside of one, errors.Is finds that
// error in what Next returns.
// Caught by: TestReadErrorIsReturned
// Message: (in patient.Read)

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
