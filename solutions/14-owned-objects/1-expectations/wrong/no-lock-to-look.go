// Breaks: From now on many goroutines call all the methods at once.
// Caught by: TestCallsAtOnce
// Message: there was a data race between

//go:build wrong

package expectations

func (e *Expectations) Satisfied(set string) bool {
	of := e.sets[set]
	return len(of.missing) == 0 || e.late(of)
}
