// Breaks: A deletionTimestamp differs if it is another moment, or if only one of the objects has it.
// Caught by: TestWhatALineShows
// Message: the keys that are added are

//go:build wrong

package mapping

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func moment(t *metav1.Time) string {
	if t == nil {
		return ""
	}
	return "going" // wrong: it may be sooner now
}
