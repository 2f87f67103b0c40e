// Misconception: a UID says whose child it is.
// Stage: 3

//go:build wrong

package expectations

import "k8s.io/apimachinery/pkg/types"

// A UID is one in the cluster: it needs no set.
func (e *Expectations) ExpectDeletions(_ string, uids ...types.UID) {
	for _, uid := range uids {
		e.raise("", key{uid: uid})
	}
}

func (e *Expectations) DeletionObserved(_ string, uid types.UID) {
	e.lower("", key{uid: uid})
}

func (e *Expectations) Satisfied(set string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, of := range []expected{e.sets[set], e.sets[""]} {
		if len(of.missing) > 0 && !e.late(of) {
			return false
		}
	}
	return true
}
