// Misconception: a handler should wait until an object changes no more.
// Caught by: TestAllIsAddedAtOnce
// Message: the belief that a handler should wait until things have calmed down

//go:build wrong

package handlers

import (
	"k8s.io/client-go/tools/cache"
	"time"
)

func New(relations Relations, add func(Key)) cache.ResourceEventHandler {
	h := handler{relations, add}
	return cache.ResourceEventHandlerFuncs{
		AddFunc: h.concerned,
		UpdateFunc: func(before, after any) {
			time.Sleep(10 * time.Millisecond)
			h.concerned(before)
			h.concerned(after)
		},
		DeleteFunc: h.deleted,
	}
}
