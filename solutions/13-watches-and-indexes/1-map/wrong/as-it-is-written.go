// Breaks: The same moment in another time zone is no difference.
// Caught by: TestWhatNoLineShows
// Message: the keys that are added are

//go:build wrong

package mapping

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func moment(t *metav1.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.RFC3339Nano) // wrong
}
