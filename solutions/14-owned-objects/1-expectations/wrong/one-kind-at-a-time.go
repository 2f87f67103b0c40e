// Breaks: The set expects each of them to go, beside what it expects already.
// Caught by: TestCreationsAndDeletions
// Message: Satisfied(north/web) was true

//go:build wrong

package expectations

import (
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// ExpectDeletions is for a run that deletes: one that creates is over.
func (e *Expectations) ExpectDeletions(set string, uids ...types.UID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	of := expected{missing: map[key]bool{}, raised: time.Now()}
	for _, uid := range uids {
		of.missing[key{uid: uid}] = true
	}
	e.sets[set] = of
}
