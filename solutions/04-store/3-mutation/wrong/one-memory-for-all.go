// Breaks: Two detectors have nothing in common.
// Caught by: TestTwoDetectors
// Message: it reported soup@7, received by nobody

//go:build wrong

package mutation

import "reflect"

// watched has what all detectors watch.
var watched = map[any]any{}

func New[T Object[T]]() *Detector[T] {
	all, ok := watched[reflect.TypeFor[T]()].(map[T]*record[T])
	if !ok {
		all = map[T]*record[T]{}
		watched[reflect.TypeFor[T]()] = all
	}
	return &Detector[T]{watched: all}
}
