// Breaks: At the moment that Until names, if it is too early for that. Not before, and not later.
// Caught by: TestTheMoment
// Message: its moment is at 1ns

//go:build wrong

package result

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
)

func remaining(object *corev1.ConfigMap) (time.Duration, error) {
	text := object.Annotations[Until]
	until, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return 0, fmt.Errorf("the annotation %s is %q: %w", Until, text, err)
	}
	return time.Until(until).Round(time.Second), nil // wrong
}
