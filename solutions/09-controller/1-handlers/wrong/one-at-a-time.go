// Breaks: Both informers call it, at the same time, and neither call waits for the other.
// Caught by: TestTwoInformers
// Message: data race

//go:build wrong

package handlers

import "k8s.io/client-go/tools/cache"

type handler struct {
	relations Relations
	add       func(Key)
	places    *[]Key // of this call
}

func New(relations Relations, add func(Key)) cache.ResourceEventHandler {
	places := []Key{}
	h := handler{relations, func(k Key) { places = append(places, k) }, &places}
	flush := func() {
		for _, place := range *h.places {
			add(place)
		}
		*h.places = (*h.places)[:0]
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { h.concerned(object); flush() },
		UpdateFunc: func(before, after any) {
			h.concerned(before)
			h.concerned(after)
			flush()
		},
		DeleteFunc: func(object any) { h.deleted(object); flush() },
	}
}
