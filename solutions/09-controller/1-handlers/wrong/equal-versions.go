// Misconception: an equal resourceVersion says that there is nothing to do.
// Caught by: TestWhateverHasChanged
// Message: the belief that an equal resourceVersion says that there is nothing to do

//go:build wrong

package handlers

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

func New(relations Relations, add func(Key)) cache.ResourceEventHandler {
	h := handler{relations, add}
	return cache.ResourceEventHandlerFuncs{
		AddFunc: h.concerned,
		UpdateFunc: func(before, after any) {
			was, wasMap := before.(*corev1.ConfigMap)
			is, isMap := after.(*corev1.ConfigMap)
			if wasMap && isMap && was.ResourceVersion == is.ResourceVersion &&
				was.Labels[Role] == is.Labels[Role] {
				return
			}
			h.concerned(before)
			h.concerned(after)
		},
		DeleteFunc: h.deleted,
	}
}
