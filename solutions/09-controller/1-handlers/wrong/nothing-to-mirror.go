// Misconception: a handler can tell whether there is something to do: the data are what is mirrored.
// Caught by: TestWhateverHasChanged
// Message: the belief that a handler can tell whether there is something to do

//go:build wrong

package handlers

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	"maps"
)

func New(relations Relations, add func(Key)) cache.ResourceEventHandler {
	h := handler{relations, add}
	return cache.ResourceEventHandlerFuncs{
		AddFunc: h.concerned,
		UpdateFunc: func(before, after any) {
			was, wasMap := before.(*corev1.ConfigMap)
			is, isMap := after.(*corev1.ConfigMap)
			if wasMap && isMap && was.ResourceVersion != is.ResourceVersion &&
				maps.Equal(was.Data, is.Data) && maps.Equal(was.Labels, is.Labels) {
				return // wrong: the annotation is part of a mirror
			}
			h.concerned(before)
			h.concerned(after)
		},
		DeleteFunc: h.deleted,
	}
}
