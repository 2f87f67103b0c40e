package store

import "fmt"

// change puts an object under a key, or takes away what is there.
type change struct {
	key     string
	object  any
	deleted bool // object is then the last that is known of it
}

// move takes a key from under some values of an index and puts it under others.
type move struct {
	index    *index
	key      string
	from, to []string
}

// plan adds to moves what a change means to each index; old is what the key has before it, nil for nothing. An error
// is an index function's, and comes before anything has changed. The caller holds the writers' lock.
func (s *Store) plan(moves []move, old any, c change) ([]move, error) {
	before := len(moves)
	for _, x := range s.indexes {
		m, err := x.move(old, c)
		if err != nil {
			clear(moves[before:]) // they point to indexes, and their space is used again
			return moves[:before], fmt.Errorf("store: object %q: %w", c.key, err)
		}
		if !m.stays() {
			moves = append(moves, m)
		}
	}
	return moves, nil
}

// move is what a change means to one index. The function has accepted the old object when that came: where it now fails
// on it, somebody has written to the object, and only a look at all values finds those that the key is under.
func (x *index) move(old any, c change) (m move, err error) {
	m = move{index: x, key: c.key}
	if old != nil {
		if m.from, err = x.of(old); err != nil {
			m.from = x.under(c.key)
		}
	}
	if c.deleted {
		return m, nil
	}
	m.to, err = x.of(c.object)
	return m, err
}

// stays says that the key has one value and keeps it, as in most updates. Several values are taken out and put in
// again, also where they are the same.
func (m move) stays() bool {
	return len(m.from) == 1 && len(m.to) == 1 && m.from[0] == m.to[0]
}

// carryOut makes changes that are planned. Readers wait for that, and for nothing else. The store's resourceVersion
// becomes that of the last change's object, if it has one.
func (s *Store) carryOut(changes []change, moves []move) {
	if len(changes) == 0 {
		return
	}
	resourceVersion, known := versionOf(changes[len(changes)-1].object)
	s.reading.Lock()
	defer s.reading.Unlock()
	for _, c := range changes {
		if c.deleted {
			delete(s.items, c.key)
		} else {
			s.items[c.key] = c.object
		}
	}
	for _, m := range moves {
		m.index.remove(m.key, m.from)
		m.index.insert(m.key, m.to)
	}
	if known {
		s.resourceVersion = resourceVersion
	}
}
