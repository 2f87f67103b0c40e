// Breaks: ADDED, MODIFIED, DELETED and BOOKMARK come out in the body's order, each once, the Object byte for byte.
// Stage: 1
// Base: alt/braces

//go:build wrong

package decode

import (
	"unicode"
)

// documentEnd looks at the bytes that are new, and returns where the first document ends, or 0.
func (d *Decoder) documentEnd() int {
	for ; d.seen < len(d.pending); d.seen++ {
		switch c := d.pending[d.seen]; {
		case d.depth == 0 && c != '{' && !unicode.IsSpace(rune(c)):
			return d.seen + 1 // no event begins like this: Unmarshal refuses it
		case c == '"':
			d.inText = !d.inText
		case d.inText:
		case c == '{':
			d.depth++
		case c == '}':
			d.depth--
			if d.depth == 0 {
				return d.seen + 1
			}
		}
	}
	return 0
}
