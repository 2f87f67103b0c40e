package grader

import (
	"bytes"
	"fmt"
	"sync"
)

// limitedBuffer keeps what is written up to a limit, then calls full once and throws the rest away.
type limitedBuffer struct {
	mu       sync.Mutex
	buf      bytes.Buffer
	max      int
	maxLines int // zero: any number
	lines    int
	cut      string // the limit that was passed, in words
	full     func()
}

func (b *limitedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cut != "" {
		return len(p), nil
	}
	kept := p
	if room := b.max - b.buf.Len(); len(kept) > room {
		kept, b.cut = kept[:room], "less than "+bytesText(b.max)
	}
	if end, passed := b.countLines(kept); passed {
		kept, b.cut = kept[:end], fmt.Sprintf("fewer than %d lines", b.maxLines)
	}
	b.buf.Write(kept)
	if b.cut != "" {
		b.full()
	}
	return len(p), nil
}

// countLines counts what test2json makes an event of: the end of a line, and the mark of package testing's with which
// one may begin. It says where the limit was passed, if it was.
func (b *limitedBuffer) countLines(p []byte) (end int, passed bool) {
	if b.maxLines == 0 {
		return 0, false
	}
	for i, c := range p {
		if c == '\n' || c == '\x16' {
			b.lines++
		}
		if b.lines > b.maxLines {
			return i, true
		}
	}
	return 0, false
}

func (b *limitedBuffer) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// over says in words which limit was passed, if one was.
func (b *limitedBuffer) over() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.cut
}
