// Breaks: When reading has failed, here or there, errors.Is finds the reader's error.
// Stage: 2

//go:build wrong

package decode

import (
	"encoding/json"
	"io"
)

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{json: json.NewDecoder(&remembers{r: r})} }

// remembers keeps the last byte that was read.
type remembers struct {
	r    io.Reader
	last byte
}

func (r *remembers) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if n > 0 {
		r.last = p[n-1]
	} else if err != nil && err != io.EOF && r.last != 0 && r.last != '\n' {
		err = io.ErrUnexpectedEOF // the stream broke inside of an event
	}
	return n, err
}
