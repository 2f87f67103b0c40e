// Breaks: NewDecoder does not read: the first event may be hours away.
// Caught by: TestNewDecoderDoesNotRead
// Message: it called Read (1)

//go:build wrong

package decode

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
)

// NewDecoder returns a Decoder that reads from r, the body of a watch, which may be compressed.
func NewDecoder(r io.Reader) *Decoder {
	body := bufio.NewReader(r)
	if magic, _ := body.Peek(2); string(magic) == "\x1f\x8b" {
		if unzipped, err := gzip.NewReader(body); err == nil {
			return &Decoder{json: json.NewDecoder(unzipped)}
		}
	}
	return &Decoder{json: json.NewDecoder(body)}
}
