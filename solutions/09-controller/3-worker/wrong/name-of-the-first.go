// Breaks: Its text has the names of all that are not done, and of no others,
// Caught by: TestEndsBeforeTheCaches
// Message: the error has the names of those, and no others

//go:build wrong

package worker

import "k8s.io/client-go/tools/cache"

func (w Work) missing() (names []string) {
	for _, checker := range w.Synced {
		if !cache.IsDone(checker) {
			return []string{checker.Name()}
		}
	}
	return names
}
