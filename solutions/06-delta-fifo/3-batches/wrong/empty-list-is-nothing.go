// Misconception: a list without objects brings nothing that anybody would have to hear of.
// Caught by: TestAnEmptyListIsAList
// Message: the belief that a list without objects brings nothing.

//go:build wrong

package batches

import "reflect"

// Add puts a delta at the end of the queue, unless it is a list without objects.
func (q *Queue) Add(d Delta) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if d.Type == ReplacedAll && empty(d.Object) {
		return
	}
	if !q.begun {
		q.begun, q.synced = true, d.Type != ReplacedAll
	}
	q.deltas = append(q.deltas, d)
	q.changed.Broadcast()
}

func empty(list any) bool {
	v := reflect.ValueOf(list)
	return list == nil || v.Kind() == reflect.Slice && v.Len() == 0
}
