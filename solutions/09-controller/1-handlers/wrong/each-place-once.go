// Misconception: a place that was added need not be added again.
// Caught by: TestNothingIsRemembered
// Message: the belief that a place that was added need not be added again

//go:build wrong

package handlers

import (
	"k8s.io/client-go/tools/cache"
	"sync"
)

func New(relations Relations, add func(Key)) cache.ResourceEventHandler {
	var lock sync.Mutex
	latest := ""
	once := func(k Key) { // a key that has just been added is in the queue
		lock.Lock()
		defer lock.Unlock()
		if k.String() != latest {
			add(k)
		}
		latest = k.String()
	}
	h := handler{relations, once}
	return cache.ResourceEventHandlerFuncs{
		AddFunc: h.concerned,
		UpdateFunc: func(before, after any) {
			h.concerned(before)
			h.concerned(after)
		},
		DeleteFunc: func(object any) {
			lock.Lock()
			latest = ""
			lock.Unlock()
			h.deleted(object)
		},
	}
}
