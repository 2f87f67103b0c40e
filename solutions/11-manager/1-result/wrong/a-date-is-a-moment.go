// Breaks: Its Until is no moment as in RFC 3339, as time.Parse reads it: nothing. Only a change can mend that.
// Caught by: TestNoMoment
// Message: 2000-01-01 is no moment: nothing is deleted

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
		until, err = time.Parse(time.DateOnly, text) // wrong
	}
	if err != nil {
		return 0, fmt.Errorf("the annotation %s is %q: %w", Until, text, err)
	}
	return time.Until(until), nil
}
