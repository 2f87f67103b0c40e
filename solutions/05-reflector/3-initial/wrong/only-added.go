// Misconception: the initial state consists of ADDED events.
// Caught by: TestChangesAmongTheInitialEvents
// Message: the belief that the initial state consists of ADDED events alone

//go:build wrong

package initial

import (
	"k8s.io/apimachinery/pkg/watch"
)

func take(event watch.Event, into Collection) {
	switch event.Type { // the collection has logged its errors
	case watch.Added:
		_ = into.Add(event.Object)
	}
}
