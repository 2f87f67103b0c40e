// Misconception: a controller waits for its events when it is new.
// Caught by: TestTimeoutBegins
// Message: the belief that the timeout is one of the controller

//go:build wrong

package expectations

import (
	"sync"
	"time"
)

type Expectations struct {
	timeout time.Duration
	began   time.Time

	mu   sync.Mutex
	sets map[string]expected
}

func New(timeout time.Duration) *Expectations {
	return &Expectations{timeout: timeout, began: time.Now(), sets: map[string]expected{}}
}

func (e *Expectations) late(expected) bool { return time.Since(e.began) > e.timeout }
