// Misconception: what waits at the end can stay where it is.
// Caught by: TestMemory
// Message: the belief that who stops can leave what waits where it is. The Source outlives its contro

//go:build wrong

package channel

func (s *Source) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true // wrong: what waits is still there
}
