package listwatch

import (
	"context"
	"time"
)

// Clock is the time that the client waits by. A test gives one that does not wait.
type Clock interface {
	Now() time.Time
	// Sleep waits for d, or until ctx ends.
	Sleep(ctx context.Context, d time.Duration)
	// AfterFunc calls f in a goroutine of its own after d, unless the timer is stopped before.
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer is a running AfterFunc. *time.Timer is one.
type Timer interface {
	Stop() bool
	Reset(d time.Duration) bool
}

// realClock is the time of package time.
type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

func (realClock) Sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

func (realClock) AfterFunc(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }
