// Misconception: what belongs together is done under the lock.
// Caught by: TestEventBeforeAnswer
// Message: the belief that a lock may be held while a request is on its way

//go:build wrong

package expectations

import "errors"

func (e *Expectations) Create(client Client, set string, names ...string) error {
	var failures []error
	e.ExpectCreations(set, names...)
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, name := range names {
		if err := client.Create(set, name); err != nil {
			delete(e.sets[set].missing, key{name: name})
			failures = append(failures, err)
		}
	}
	return errors.Join(failures...)
}
