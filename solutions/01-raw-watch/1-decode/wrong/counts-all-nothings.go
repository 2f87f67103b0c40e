// Breaks: When a hundred Reads in a row bring nothing, Next may give up, with an error as in 5.
// Caught by: TestReadsOfNothingNotInARow
// Message: 30 Reads bring nothing, then one brings half an event

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
	nothing int
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if n == 0 && err == nil {
		c.nothing++
	}
	if c.nothing > 100 {
		return n, io.ErrNoProgress
	}
	return n, err
}
