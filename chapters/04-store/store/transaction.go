package store

import (
	"fmt"

	"k8s.io/client-go/tools/cache"
)

// Transaction makes several changes at once: no reader sees some of them without the others. A change that cannot be
// made, for the reasons that [Store.Add] has, is left out; the error then says why, and SuccessfulIndices which were
// made. The resourceVersion becomes that of the last one that was made.
//
// Upstream: cache.TransactionStore. Upstream leaves out what has no key, does not transform, and takes a type that it
// does not know for a change that was made.
func (s *Store) Transaction(transactions ...cache.Transaction) *cache.TransactionError {
	s.writing.Lock()
	defer s.writing.Unlock()
	var errs []error
	changes, moves := make([]change, 0, len(transactions)), s.scratch[:0]
	made := make([]int, 0, len(transactions))
	expected := make(map[string]any, len(transactions)) // what the plan so far makes of the keys that it changes
	for i, t := range transactions {
		c, err := s.asked(t)
		if err == nil {
			old, changed := expected[c.key]
			if !changed {
				old = s.items[c.key]
			}
			moves, err = s.plan(moves, old, c)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		made, changes = append(made, i), append(changes, c)
		expected[c.key] = c.left()
	}
	s.carryOut(changes, moves)
	s.reuse(moves)
	if len(errs) == 0 {
		return nil
	}
	return &cache.TransactionError{SuccessfulIndices: made, TotalTransactions: len(transactions), Errors: errs}
}

// asked is the change that a transaction asks for.
func (s *Store) asked(t cache.Transaction) (change, error) {
	switch t.Type {
	case cache.TransactionTypeAdd, cache.TransactionTypeUpdate:
		return s.arrival(t.Object)
	case cache.TransactionTypeDelete:
		key, err := s.key(t.Object)
		return change{key: key, object: t.Object, deleted: true}, err
	}
	return change{}, fmt.Errorf("store: a transaction has the type %q; there are Add, Update and Delete", t.Type)
}

// left is what a change leaves under its key.
func (c change) left() any {
	if c.deleted {
		return nil
	}
	return c.object
}
