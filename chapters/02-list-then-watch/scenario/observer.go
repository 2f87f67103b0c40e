package scenario

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/listwatch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

// observer writes down what the client does and sees.
type observer struct {
	proxy  *faults.Proxy
	mu     sync.Mutex
	seen   map[string][]int  // what each object (name and UID) held in turn
	now    map[string]string // the resourceVersion of each object that is there, by name
	states []listwatch.State
	waited time.Duration
	marks  []mark // in order
	last   uint64 // the last resourceVersion that the view told of
}

// mark names a resourceVersion by the write that made it.
type mark struct {
	resourceVersion uint64
	write           int
}

func newObserver(proxy *faults.Proxy) *observer {
	return &observer{proxy: proxy, seen: map[string][]int{}, now: map[string]string{}}
}

// change is the view's OnChange.
func (l *observer) change(t watch.EventType, o listwatch.Object) {
	var content struct{ Data struct{ Counter string } }
	json.Unmarshal(o.JSON, &content)
	n, _ := strconv.Atoi(content.Data.Counter)
	l.mu.Lock()
	if l.now[o.Name] = o.ResourceVersion; t == watch.Deleted {
		n = deleted
		delete(l.now, o.Name)
	}
	key := o.Name + " " + o.UID
	l.seen[key] = append(l.seen[key], n)
	rv, _ := strconv.ParseUint(o.ResourceVersion, 10, 64)
	l.last = max(l.last, rv)
	l.mu.Unlock()
	l.proxy.Recheck()
}

// has tells whether the client has seen all that was written, and has begun to follow: the proxy is
// done with the initial events a moment before the client is.
func (l *observer) has(want map[string]written) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.states); n > 0 && l.states[n-1].Doing == listwatch.Streaming {
		return false
	}
	for name, o := range want {
		if l.now[name] != o.resourceVersion {
			return false
		}
	}
	return len(l.now) == len(want)
}

// state is the client's Observe.
func (l *observer) state(s listwatch.State) {
	l.mu.Lock()
	l.states = append(l.states, s)
	l.waited += s.For
	l.mu.Unlock()
	l.proxy.Recheck()
}

// settled marks the newest resourceVersion with the number of writes.
func (l *observer) settled(w *writer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.marks = append(l.marks, mark{l.last, w.writes})
}

// name says after which write a resourceVersion is. Those of bookmarks and lists, which may be later
// because of writes elsewhere in the cluster, get the same name.
func (l *observer) name(resourceVersion string) string {
	rv, err := strconv.ParseUint(resourceVersion, 10, 64)
	if err != nil {
		return resourceVersion
	}
	name := 0
	for _, m := range l.marks {
		if m.resourceVersion <= rv {
			name = m.write
		}
	}
	return fmt.Sprint("w", name)
}

// transcript is all of it.
func (l *observer) transcript(proxy *faults.Proxy) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var b strings.Builder
	b.WriteString(proxy.Transcript(l.name))
	for _, s := range l.states {
		fmt.Fprintf(&b, "%s %s", s.Doing, l.name(s.From))
		if s.Doing == listwatch.Waiting {
			fmt.Fprintf(&b, ": %s for %s", s.After, s.For)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
