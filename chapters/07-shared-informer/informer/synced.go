package informer

import (
	"sync"
	"sync/atomic"
)

// done is a cache.DoneChecker.
type done struct {
	name    string
	channel <-chan struct{}
}

// Name is for logs.
func (d done) Name() string { return d.name }

// Done is closed when it is done.
func (d done) Done() <-chan struct{} { return d.channel }

// initialAdds counts the adds of the initial list that a handler has not returned from. They are done when there are
// none and no more come.
//
// Upstream: SingleFileTracker, in tools/cache/synctrack/synctrack.go.
type initialAdds struct {
	open   atomic.Int64
	all    atomic.Bool // no more come
	closed sync.Once
	done   chan struct{}
}

// add counts one that comes, before anybody is told of it.
func (i *initialAdds) add() { i.open.Add(1) }

// finish counts one that the handler has returned from.
func (i *initialAdds) finish() {
	if i.open.Add(-1) == 0 && i.all.Load() {
		i.close()
	}
}

// last says that no more come. Whoever is second, of this and the last finish, sees what the other has written.
func (i *initialAdds) last() {
	i.all.Store(true)
	if i.open.Load() == 0 {
		i.close()
	}
}

func (i *initialAdds) close() { i.closed.Do(func() { close(i.done) }) }
