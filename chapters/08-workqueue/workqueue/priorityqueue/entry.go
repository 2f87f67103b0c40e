package priorityqueue

// nowhere is the index of an entry that is not in the line.
const nowhere = -1

// entry is what the queue knows of an item that is to be processed.
type entry[T comparable] struct {
	item     T
	priority int
	turn     uint64 // of two with one priority, the one with the lower turn comes first
	waits    bool   // its time has not come
	index    int    // in the line, or nowhere
}

// line is the heap of what can be handed out, for container/heap: the next is at 0, and each knows its place.
type line[T comparable] []*entry[T]

func (l line[T]) Len() int { return len(l) }

func (l line[T]) Less(i, j int) bool {
	if l[i].priority == l[j].priority {
		return l[i].turn < l[j].turn
	}
	return l[i].priority > l[j].priority
}

func (l line[T]) Swap(i, j int) {
	l[i], l[j] = l[j], l[i]
	l[i].index, l[j].index = i, j
}

func (l *line[T]) Push(x any) {
	e := x.(*entry[T])
	e.index = len(*l)
	*l = append(*l, e)
}

func (l *line[T]) Pop() any {
	last := len(*l) - 1
	e := (*l)[last]
	(*l)[last], e.index = nil, nowhere
	*l = (*l)[:last]
	return e
}
