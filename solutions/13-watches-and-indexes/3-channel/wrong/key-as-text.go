// Misconception: a key is its text.
// Caught by: TestAnyKey
// Message: each is added once, in this order

//go:build wrong

package channel

import "sync"

type Source struct {
	mu      sync.Mutex
	started bool
	ended   bool
	order   []Key
	waits   map[string]bool
	wake    chan struct{}
}

func New() *Source { return &Source{waits: map[string]bool{}, wake: make(chan struct{}, 1)} }

func (s *Source) Notify(key Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || s.waits[key.String()] { // wrong
		return
	}
	s.waits[key.String()] = true
	s.order = append(s.order, key)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *Source) next() (key Key, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.order) == 0 {
		return Key{}, false
	}
	key, s.order = s.order[0], s.order[1:]
	delete(s.waits, key.String())
	return key, true
}
