package scripted

import (
	"fmt"
	"strings"
	"sync"
)

// Log is a list of lines, in the order in which they came. Any goroutine may write. The zero value is empty.
type Log struct {
	mu    sync.Mutex
	lines []string
}

// Add adds a line.
func (l *Log) Add(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

// String is the lines so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.lines, "\n")
}

// Difference is where two texts part, with what both say before and each says then; "" where they don't.
func Difference(theirs, ours string) string {
	if theirs == ours {
		return ""
	}
	a, b := strings.Split(theirs, "\n"), strings.Split(ours, "\n")
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	shown := func(lines []string, from, to int) string {
		return strings.Join(lines[max(from, 0):min(to, len(lines))], "\n") + "\n"
	}
	return fmt.Sprintf("both:\n%supstream:\n%sours:\n%s",
		shown(a, same-8, same), shown(a, same, same+5), shown(b, same, same+5))
}
