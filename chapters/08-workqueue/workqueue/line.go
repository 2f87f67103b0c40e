package workqueue

import upstream "k8s.io/client-go/util/workqueue"

// keptRoom is how many items a line that is empty keeps room for.
const keptRoom = 1024

// line is a slice whose items join at the end and leave at the front. Its zero value is empty. It takes no notice of an
// item that is added again while it waits.
//
// Cutting items off the front of a plain slice (s = s[1:]) would do, as upstream's does, but loses their room: a queue
// that holds one item at a time would need new memory for each.
type line[T comparable] struct {
	items []T
	left  int // so many at the front are gone
}

var _ upstream.Queue[string] = &line[string]{}

// Len says how many wait.
func (l *line[T]) Len() int { return len(l.items) - l.left }

// Touch does nothing: who joined first leaves first.
func (l *line[T]) Touch(T) {}

// Push has an item join at the end.
func (l *line[T]) Push(item T) {
	if len(l.items) == cap(l.items) && l.left > len(l.items)/2 {
		n := copy(l.items, l.items[l.left:])
		clear(l.items[n:])
		l.items, l.left = l.items[:n], 0
	}
	l.items = append(l.items, item)
}

// Pop has the first item leave. Its place is emptied, so that what it refers to can be collected.
func (l *line[T]) Pop() T {
	item := l.items[l.left]
	clear(l.items[l.left : l.left+1])
	l.left++
	switch {
	case l.Len() > 0:
	case cap(l.items) > keptRoom:
		*l = line[T]{} // of a long line, and seldom needed again
	default:
		l.items, l.left = l.items[:0], 0
	}
	return item
}
