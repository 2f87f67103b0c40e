// Breaks: Next returns when the event's line feed has come, and waits for nothing behind it.
// Stage: 1

//go:build wrong

package decode

import (
	"encoding/json"
	"io"
)

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{json: json.NewDecoder(&full{r: r})} }

// full reads in pieces of 512 bytes, however they come.
type full struct {
	r   io.Reader
	err error
}

func (f *full) Read(p []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := io.ReadAtLeast(f.r, p, min(len(p), 512))
	if err == io.ErrUnexpectedEOF && n > 0 {
		err, f.err = nil, io.EOF
	}
	return n, err
}
