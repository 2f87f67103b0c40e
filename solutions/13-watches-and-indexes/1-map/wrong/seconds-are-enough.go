// Breaks: A deletionTimestamp differs if it is another moment, or if only one of the objects has it.
// Caught by: TestMomentsThatAreNear
// Message: Happened: they were none

//go:build wrong

package mapping

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"time"
)

func moment(t *metav1.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
