// Breaks: When a hundred Reads in a row bring nothing, Next may give up, with an error as in 5.
// Caught by: TestReadsOfNothingBetweenBytes
// Message: an event of 600 bytes, and each second Read brings nothing

//go:build wrong

package decode

import (
	"encoding/json"
	"io"
)

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	return &Decoder{json: json.NewDecoder(&counting{r: r})}
}

type counting struct {
	r       io.Reader
	nothing int // since the last end of an event
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	switch {
	case n == 0 && err == nil:
		c.nothing++
	case n > 0 && p[n-1] == '\n':
		c.nothing = 0
	}
	if c.nothing > 100 {
		return n, io.ErrNoProgress
	}
	return n, err
}
