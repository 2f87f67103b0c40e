// Misconception: A ConfigMap holds one megabyte at most, so that two are room enough for its event.
// Stage: 1
// Base: alt/scanner

//go:build wrong

package decode

import (
	"bufio"
	"io"
)

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 2<<20) // wrong: what needs escaping takes six bytes
	lines.Split(wholeLines)
	return &Decoder{lines: lines}
}
