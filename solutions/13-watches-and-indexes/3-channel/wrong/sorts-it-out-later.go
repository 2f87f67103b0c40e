// Breaks: The memory that it takes is bounded by the number of different keys that wait at one time
// Caught by: TestMemory
// Message: the belief that what is notified is to be remembered. That a key waits is all there is to

//go:build wrong

package channel

import "slices"

func (s *Source) Notify(key Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	} // wrong: what waits already is there twice
	s.waits[key] = true
	s.order = append(s.order, key)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *Source) next() (key Key, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.order) > 0 {
		key, s.order = s.order[0], s.order[1:]
		if s.waits[key] {
			delete(s.waits, key)
			s.order = slices.DeleteFunc(s.order, func(k Key) bool { return k == key })
			return key, true
		}
	}
	return Key{}, false
}
