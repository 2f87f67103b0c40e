// Wrong: The first bookmark ends the initial state, marked or not.
// Base: chapters/05-reflector/reflector/initial.go
// Mechanism: reflector
// Upstream: none
// Book: chapters/05-reflector/reflector TestSuite

//go:build wrong

package reflector

import "k8s.io/apimachinery/pkg/watch"

func endsInitial(event watch.Event) bool { return event.Type == watch.Bookmark }
