package restmapper

// Moments is how many questions have come and requests have left, so that a test waits for one.
func (m *Mapper) Moments() int64 { return m.clock.last.Load() }

// Kept is how many group versions a mapper keeps something of.
func (m *Mapper) Kept() int {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return len(m.tables)
}
