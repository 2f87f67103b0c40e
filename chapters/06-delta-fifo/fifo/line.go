package fifo

// keptCapacity is how many elements a line that is empty keeps room for.
const keptCapacity = 1024

// line is a slice whose elements join at the end and leave at the front. Its zero value is empty.
//
// Cutting elements off the front of a plain slice (s = s[1:]) would do, but loses their room: a queue that holds one
// element at a time would need new memory for each.
type line[T any] struct {
	elements []T
	left     int // so many at the front are gone
}

func (l *line[T]) len() int { return len(l.elements) - l.left }

// all are the elements that wait, the first to leave at 0. They are the line's, until one joins or leaves.
func (l *line[T]) all() []T { return l.elements[l.left:] }

func (l *line[T]) join(element T) {
	if len(l.elements) == cap(l.elements) && l.left > len(l.elements)/2 {
		n := copy(l.elements, l.all())
		clear(l.elements[n:])
		l.elements, l.left = l.elements[:n], 0
	}
	l.elements = append(l.elements, element)
}

// leave takes the first n away. Their places are emptied, so that what was in them can be collected.
func (l *line[T]) leave(n int) {
	clear(l.all()[:n])
	l.left += n
	switch {
	case l.len() > 0:
	case cap(l.elements) > keptCapacity:
		*l = line[T]{} // of a large list, and seldom needed again
	default:
		l.elements, l.left = l.elements[:0], 0
	}
}
