package reflector_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// ledger writes down in one order what a reflector asks the server, and what it tells its store and its error handler.
// It is a cache.Queue from which nothing is popped, so that a Reflector inside of a cache.Controller writes to it.
type ledger struct {
	changed func() // is called after each call of the store

	mu     sync.Mutex
	lines  []string
	held   map[string]string // resourceVersions by name, as a store would hold them
	closed chan struct{}
}

var (
	_ cache.Queue                  = (*ledger)(nil)
	_ cache.ReflectorBookmarkStore = (*ledger)(nil)
	_ cache.ResourceVersionUpdater = (*ledger)(nil)
)

func newLedger() *ledger {
	return &ledger{changed: func() {}, held: map[string]string{}, closed: make(chan struct{})}
}

// write adds a line, and does to what is held what the line says.
func (l *ledger) write(do func(), format string, args ...any) error {
	l.mu.Lock()
	if do != nil {
		do()
	}
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
	l.mu.Unlock()
	l.changed()
	return nil
}

// holds tells whether that is what a store would hold.
func (l *ledger) holds(want map[string]string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(want) != len(l.held) {
		return false
	}
	for name, version := range want {
		if l.held[name] != version {
			return false
		}
	}
	return true
}

func (l *ledger) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.lines, "\n")
}

func (l *ledger) put(verb string, object any) error {
	c := object.(*corev1.ConfigMap)
	return l.write(func() { l.held[c.Name] = c.ResourceVersion }, "  %s %s@%s", verb, c.Name, c.ResourceVersion)
}

func (l *ledger) Add(object any) error    { return l.put("Add", object) }
func (l *ledger) Update(object any) error { return l.put("Update", object) }

func (l *ledger) Delete(object any) error {
	c := object.(*corev1.ConfigMap)
	return l.write(func() { delete(l.held, c.Name) }, "  Delete %s@%s", c.Name, c.ResourceVersion)
}

// Replace writes the objects down sorted: after a streaming list upstream's order is that of a map.
func (l *ledger) Replace(objects []any, version string) error {
	held, names := map[string]string{}, []string{}
	for _, object := range objects {
		c := object.(*corev1.ConfigMap)
		held[c.Name] = c.ResourceVersion
		names = append(names, c.Name+"@"+c.ResourceVersion)
	}
	slices.Sort(names)
	return l.write(func() { l.held = held }, "  Replace [%s] at %s", strings.Join(names, " "), version)
}

func (l *ledger) Resync() error { return l.write(nil, "  Resync") }

func (l *ledger) Bookmark(version string) error { return l.write(nil, "  Bookmark %s", version) }

func (l *ledger) UpdateResourceVersion(version string) {
	_ = l.write(nil, "  UpdateResourceVersion %s", version)
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
