package restmapper

import (
	"sync"
	"sync/atomic"
)

// clock numbers the moments at which questions come and requests leave, so that one can be told to be before another.
type clock struct{ last atomic.Int64 }

func (c *clock) now() int64 { return c.last.Add(1) }

// answer is what the server says at one path: kept as long as it is enough, and shared by those who want it at the same
// time.
type answer[T any] struct {
	ask   func() (T, error)
	clock *clock

	// good is the last one that came. Who finds it enough waits for nobody.
	good atomic.Pointer[reply[T]]

	// asking belongs to the one caller that asks the server; the others wait for what it brings. It guards what is
	// below it.
	asking sync.Mutex
	failed reply[T] // the last one that did not come
}

// reply is what came of a request.
type reply[T any] struct {
	left  int64 // the moment at which the request left
	value T
	err   error
}

// get returns an answer to a request that left at the moment oldest or later. A caller whose question came at a moment
// asks for any answer, oldest 0, and if that does not have its kind, for one that is no older than its question: the
// server may have answered an earlier request before the kind was installed.
//
// Callers that wait at the same time share a request: the first sends it, and the others find that it is young enough.
// They share a failure too, if the request left after their question came.
func (a *answer[T]) get(oldest, came int64) (value T, err error) {
	if good := a.good.Load(); good != nil && good.left >= oldest {
		return good.value, nil
	}
	a.asking.Lock()
	defer a.asking.Unlock()
	if good := a.good.Load(); good != nil && good.left >= oldest {
		return good.value, nil
	}
	if a.failed.left >= came {
		return value, a.failed.err
	}
	next := reply[T]{left: a.clock.now()}
	if next.value, next.err = a.ask(); next.err != nil {
		a.failed = next
		return value, next.err
	}
	a.good.Store(&next)
	return next.value, nil
}
