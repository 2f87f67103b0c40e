// Misconception: a note that was written is right until the data change.
// Caught by: TestWhatSomebodyElseDoesToANote
// Message: the belief that a note is right because it was written

//go:build wrong

package two

import (
	"sync"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type keeper struct {
	Note
	client  client.Client
	written sync.Map // what was written last, by key
}

func (k *keeper) right(found *corev1.ConfigMap, value string) bool {
	was, ok := k.written.Swap(client.ObjectKeyFromObject(found), value)
	return ok && was == value // wrong: it may not be there any more
}
