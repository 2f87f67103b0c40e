// Misconception: A resourceVersion is a digest of the content.
// Caught by: TestWritesCount
// Message: a revision is a property of the content: it is the number of the write

//go:build wrong

package conflict

import "hash/fnv"

// Create stores a new object.
func (s *Store) Create(name, value string) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.objects[name]; ok {
		return Object{}, ErrExists
	}
	o := Object{name, value, digest(value)}
	s.objects[name] = o
	return o, nil
}

// Update gives an object a value.
func (s *Store) Update(o Object) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	current, ok := s.objects[o.Name]
	switch {
	case !ok:
		return Object{}, ErrNotFound
	case o.Revision != 0 && o.Revision != current.Revision:
		return Object{}, ErrConflict
	case o.Value == current.Value:
		return current, nil
	}
	o.Revision = digest(o.Value)
	s.objects[o.Name] = o
	return o, nil
}

func digest(value string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(value))
	return h.Sum64()
}
