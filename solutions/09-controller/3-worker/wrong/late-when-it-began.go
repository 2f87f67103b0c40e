// Misconception: what was late at the beginning is what is late at the end.
// Caught by: TestEndsBeforeTheCaches
// Message: nodes is filled after a minute, and ctx ends after two

//go:build wrong

package worker

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/client-go/tools/cache"
)

func (w Work) wait(ctx context.Context) error {
	var late []cache.DoneChecker
	var names []string
	for _, checker := range w.Synced {
		if !cache.IsDone(checker) {
			late, names = append(late, checker), append(names, checker.Name())
		}
	}
	for _, checker := range late {
		select {
		case <-checker.Done():
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("caches that are not filled: %v", names), context.Cause(ctx))
		}
	}
	return nil
}
