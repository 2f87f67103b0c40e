// Misconception: caches are filled sooner or later.
// Caught by: TestEndsBeforeTheCaches
// Message: ctx ends, and not filled of [pods nodes secrets] are the caches number [0] (from 0): Run returns
// Removes: Work.missing

//go:build wrong

package worker

import "context"

func (w Work) wait(context.Context) error {
	for _, checker := range w.Synced {
		<-checker.Done()
	}
	return nil
}
