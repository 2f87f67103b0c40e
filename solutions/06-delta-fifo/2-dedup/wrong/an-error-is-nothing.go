// Breaks: When key returns an error, so does the method, and the queue is as before. errors.Is finds it.
// Caught by: TestObjectsWithoutAKey
// Message: and so does Add

//go:build wrong

package dedup

import "k8s.io/client-go/tools/cache"

// Add says nothing about an error.
func (q *Queue) Add(object any) error {
	_ = q.put(cache.Delta{Type: cache.Added, Object: object}) // wrong: the caller should know
	return nil
}
