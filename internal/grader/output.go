package grader

import (
	"bytes"
	"sync"
)

// limitedBuffer keeps what is written up to a limit, then calls full once and throws the rest away.
type limitedBuffer struct {
	mu   sync.Mutex
	buf  bytes.Buffer
	max  int
	cut  bool
	full func()
}

func (b *limitedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	room := b.max - b.buf.Len()
	b.buf.Write(p[:min(room, len(p))])
	if len(p) > room && !b.cut {
		b.cut = true
		b.full()
	}
	return len(p), nil
}

func (b *limitedBuffer) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func (b *limitedBuffer) over() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.cut
}
