// Breaks: The memory that it takes is bounded by the number of different keys that wait at one time, not by how many
// were ever notified, or how often.
// Caught by: TestOneAlwaysWaits
// Message: Points to: the belief that there is a moment at which nothing waits. What is given back then is never given
// back

//go:build wrong

package channel

import "sync"

// A Source has a controller look at objects. It is a source.Source of controller-runtime: a controller that watches it
// calls Start when it begins to work. On a replica that stands by, that is never.
//
// A key begins to wait when it is notified, and waits until its Add is called. That is queue.Add, with the Request of
// this key.
//
// What is added:
//
//   - Every key that waits is added, once Start was called.
//   - A key that is notified while it waits, however often, is added once for all of that, and keeps its place.
//   - A key that is notified when its Add was called already begins to wait again, also while that Add still runs.
//   - The key that began to wait first is added first. No key waits when the Source is new.
//   - The next Add is called when the one before it has returned, and not earlier.
//   - It is called then, or, if no key waits, at the next Notify: nobody waits for time to pass, or for more to come.
//   - Any Key is a key, also one without a namespace or a name.
//   - Of the queue's methods none but Add is called.
//
// Notify:
//
//   - Any number of goroutines may call it, at any time: before Start, if Start is never called, in the middle of an
//     Add, which may itself call it and wait for it to return, and when ctx has ended.
//   - It returns at once. It waits neither for Start nor for an Add, and there is room for any number of keys.
//   - It takes no longer when many keys wait.
//   - It starts no goroutine, and calls no method of the queue.
//
// Start:
//
//   - It returns nil at once, and does not wait for an Add. The goroutines that it starts are one or two for the
//     whole life of the Source, and make all Adds.
//   - Only the first call starts anything. Every other one returns an error and changes nothing, also if it comes at
//     the same moment, or when the ctx of the first has ended.
//
// The end:
//
//   - When the ctx of Start has ended, no Add is called any more, not even for what waits. (One that is about to be
//     called at this very moment may be.)
//   - If it had ended before Start, it is the same: Start returns nil, and no Add is called.
//   - When ctx has ended and no Add runs, whatever Start has started ends at once.
//   - From then on the Source keeps no key: those that waited are dropped, and Notify does nothing.
//
// What it costs:
//
//   - Before Start a Source has no goroutine.
//   - While there is nothing to add, nothing runs: nobody looks again and again, and there is no timer.
//   - The memory that it takes is bounded by the number of different keys that wait at one time, not by how many were
//     ever notified, or how often.
//   - Any number of Sources may be used at once. They share nothing.
type Source struct {
	//solution:begin
	//todo: what it remembers
	mu      sync.Mutex
	started bool
	ended   bool
	order   []Key         // those that wait, in their order
	head    int           // so many of them wait no more
	waits   map[Key]bool  // the same ones
	wake    chan struct{} // holds something if a key has begun to wait since the last look
	//solution:end
}

// next takes the first of those that wait. It waits no more, so that a Notify from now on is one of its own.
func (s *Source) next() (key Key, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.order) == 0 {
		return Key{}, false
	}
	key, s.order[s.head] = s.order[s.head], Key{}
	if s.head++; s.head == len(s.order) {
		s.order, s.head = s.order[:0], 0
	}
	delete(s.waits, key)
	return key, true
}
