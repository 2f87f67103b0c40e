package mirrortest

import (
	"io"
	"sync"
)

// gate holds what passes while it is shut.
type gate struct {
	lock sync.Mutex // guards open
	open chan struct{}
}

func newGate() *gate {
	g := &gate{open: make(chan struct{})}
	close(g.open)
	return g
}

func (g *gate) shut() {
	g.lock.Lock()
	defer g.lock.Unlock()
	g.open = make(chan struct{})
}

func (g *gate) release() {
	g.lock.Lock()
	defer g.lock.Unlock()
	select {
	case <-g.open:
	default:
		close(g.open)
	}
}

func (g *gate) passage() <-chan struct{} {
	g.lock.Lock()
	defer g.lock.Unlock()
	return g.open
}

// stream is the body of a watch, which can be held and cut.
type stream struct {
	io.ReadCloser
	gate *gate
	once sync.Once
	cut  chan struct{}
}

// Read has what has come wait at the gate.
func (s *stream) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	select {
	case <-s.gate.passage():
	case <-s.cut:
		return 0, io.ErrUnexpectedEOF
	}
	return n, err
}

// Close ends a Read that waits, too.
func (s *stream) Close() error {
	s.once.Do(func() { close(s.cut) })
	return s.ReadCloser.Close()
}
