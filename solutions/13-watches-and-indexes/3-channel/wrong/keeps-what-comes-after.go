// Misconception: nobody notifies when the controller has stopped.
// Caught by: TestMemory
// Message: the belief that nobody notifies when nobody listens. Who notifies does not know

//go:build wrong

package channel

func (s *Source) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.order, s.waits = nil, map[Key]bool{} // wrong: Notify does not know
}
