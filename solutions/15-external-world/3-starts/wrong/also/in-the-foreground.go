// Breaks: It returns true at once, however long the task takes.
// Stage: 1

//go:build wrong

package starts

import "context"

func (s *Starts) Start(ctx context.Context, key string, task func(context.Context) error) (taken bool) {
	s.done(key, task(context.WithoutCancel(ctx)))
	return true
}
