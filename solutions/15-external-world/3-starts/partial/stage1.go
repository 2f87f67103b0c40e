// A goroutine for each task.

//go:build partial

package starts

import "context"

func (s *Starts) Start(ctx context.Context, key string, task func(context.Context) error) (taken bool) {
	go func() { s.done(key, task(context.WithoutCancel(ctx))) }()
	return true
}
