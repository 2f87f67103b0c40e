package reflector_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector/reflectortest/scripted"
)

// ledger writes down in one order what a reflector asks the server, and what it tells its store and its error handler.
// It is a cache.Queue from which nothing is popped, so that a Reflector inside of a cache.Controller writes to it.
type ledger struct {
	log    *scripted.Log
	strips bool // it takes the versions of objects away, as a transformer may
	closed chan struct{}

	mu     sync.Mutex
	newest uint64            // the newest version that it was told of
	held   map[string]string // resourceVersions by name, as a store would hold them
}

var (
	_ cache.Queue                  = (*ledger)(nil)
	_ cache.ReflectorBookmarkStore = (*ledger)(nil)
	_ cache.ResourceVersionUpdater = (*ledger)(nil)
)

func newLedger(log *scripted.Log, strips bool) *ledger {
	return &ledger{log: log, strips: strips, held: map[string]string{}, closed: make(chan struct{})}
}

// has says whether everything up to a version has arrived.
func (l *ledger) has(version uint64, objects map[string]scripted.Object) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.newest < version || len(objects) != len(l.held) {
		return false
	}
	for name, object := range objects {
		if l.held[name] != object.Version {
			return false
		}
	}
	return true
}

// write adds a line, and does to what is held what the line says.
func (l *ledger) write(version string, do func(), format string, args ...any) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if do != nil {
		do()
	}
	if n, err := strconv.ParseUint(version, 10, 64); err == nil {
		l.newest = max(l.newest, n)
	}
	l.log.Add(format, args...)
	return nil
}

// take is an object as it came. What becomes of it is the ledger's affair.
func (l *ledger) take(object any) corev1.ConfigMap {
	c := object.(*corev1.ConfigMap)
	came := *c
	if l.strips {
		c.ResourceVersion = ""
	}
	return came
}

func (l *ledger) put(verb string, object any) error {
	c := l.take(object)
	held := func() { l.held[c.Name] = c.ResourceVersion }
	return l.write(c.ResourceVersion, held, "  %s %s@%s", verb, c.Name, c.ResourceVersion)
}

func (l *ledger) Add(object any) error    { return l.put("Add", object) }
func (l *ledger) Update(object any) error { return l.put("Update", object) }

func (l *ledger) Delete(object any) error {
	c := l.take(object)
	held := func() { delete(l.held, c.Name) }
	return l.write(c.ResourceVersion, held, "  Delete %s@%s", c.Name, c.ResourceVersion)
}

// Replace writes the objects down sorted: after a streaming list upstream's order is that of a map.
func (l *ledger) Replace(objects []any, version string) error {
	held, names := map[string]string{}, []string{}
	for _, object := range objects {
		c := l.take(object)
		held[c.Name] = c.ResourceVersion
		names = append(names, c.Name+"@"+c.ResourceVersion)
	}
	slices.Sort(names)
	return l.write(version, func() { l.held = held }, "  Replace [%s] at %s", strings.Join(names, " "), version)
}

func (l *ledger) Resync() error { return l.write("", nil, "  Resync") }

func (l *ledger) Bookmark(version string) error {
	return l.write(version, nil, "  Bookmark %s", version)
}

func (l *ledger) UpdateResourceVersion(version string) {
	_ = l.write(version, nil, "  UpdateResourceVersion %s", version)
}

// failed is the watch error handler.
func (l *ledger) failed(_ context.Context, _ *cache.Reflector, err error) {
	_ = l.write("", nil, "  error handler: %v", err)
}

// Pop waits for the end: what is queued here is for the test.
func (l *ledger) Pop(cache.PopProcessFunc) (any, error) {
	<-l.closed
	return nil, cache.ErrFIFOClosed
}

func (l *ledger) HasSynced() bool                     { return true }
func (l *ledger) HasSyncedChecker() cache.DoneChecker { return l }
func (l *ledger) Name() string                        { return "ledger" }
func (l *ledger) Done() <-chan struct{}               { return l.closed }
func (l *ledger) Close()                              { close(l.closed) }
