// Breaks: The set expects each of them from now on, beside what it expects already.
// Stage: 1

//go:build wrong

package expectations

func (e *Expectations) ExpectCreations(set string, names ...string) {
	if len(names) == 0 {
		e.Forget(set)
	}
	for _, name := range names {
		e.raise(set, key{name: name})
	}
}
