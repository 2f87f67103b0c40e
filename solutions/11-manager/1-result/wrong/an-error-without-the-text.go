// Breaks: If Until is no moment, an error that has the annotation's text in its own, as it is or as %q writes it.
// Caught by: TestNoMoment
// Message: an error is returned that has this text

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
		return 0, fmt.Errorf("the annotation %s is no moment", Until) // wrong: which one?
	}
	return time.Until(until), nil
}
