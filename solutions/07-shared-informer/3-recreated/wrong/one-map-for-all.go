// Breaks: Handlers share nothing.
// Caught by: TestHandlersShareNothing
// Message: Happened: nobody is told

//go:build wrong

package recreated

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

var living = map[string]metav1.Object{}

// New returns a handler that tells l of lives.
func New(l Lives) cache.ResourceEventHandler { return &handler{tell: l, living: living} }
