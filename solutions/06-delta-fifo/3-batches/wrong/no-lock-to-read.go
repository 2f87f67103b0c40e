// Breaks: Any number of goroutines may call Add and HasSynced at any time, also while process runs and by process
// itself.
// Caught by: TestManyAddAtOnce
// Message: race

//go:build wrong

package batches

// HasSynced says whether who reads the queue has seen the first list.
func (q *Queue) HasSynced() bool { return q.synced }
