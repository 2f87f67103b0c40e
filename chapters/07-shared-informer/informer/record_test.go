package informer_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector/reflectortest/scripted"
)

// What notifications come of.
const (
	watching  = "watch"  // each from an event
	listing   = "LIST"   // all from one list that the server sent in its order
	streaming = "STREAM" // all from one streaming list
	joining   = "join"   // all from the store, for a handler that joins
	resyncing = "resync" // all from the store
)

// phase is a time in which all notifications come of the same. Nothing moves when one begins.
type phase struct {
	number int
	kind   string
}

// phases are what is known of it. The zero value is before the first request.
type phases struct {
	mu      sync.Mutex
	current phase
}

// asked is told of each request.
func (p *phases) asked(kind string) {
	if kind == listing || kind == streaming {
		p.begin(kind)
	}
}

func (p *phases) begin(kind string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.current = phase{p.current.number + 1, kind}
}

func (p *phases) now() phase {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.current
}

// handler writes down what it is told.
type handler struct {
	name         string
	like         *handler // one that is told the same, and is not slow as this one is
	performance  *performance
	registration cache.ResourceEventHandlerRegistration

	mu     sync.Mutex
	lines  []line
	synced []bool // before each notification, of a slow handler
}

// line is one notification.
type line struct {
	phase     phase
	tombstone bool
	text      string
}

// OnAdd implements cache.ResourceEventHandler.
func (h *handler) OnAdd(object any, isInInitialList bool) {
	text := "add " + h.describe(object)
	if isInInitialList {
		text += ", initial"
	}
	h.note(text, false)
}

// OnUpdate implements cache.ResourceEventHandler.
func (h *handler) OnUpdate(old, object any) {
	h.note(fmt.Sprintf("update %s -> %s", h.describe(old), h.describe(object)), false)
}

// OnDelete implements cache.ResourceEventHandler.
func (h *handler) OnDelete(object any) {
	tombstone, ok := object.(cache.DeletedFinalStateUnknown)
	if ok {
		h.note(fmt.Sprintf("tombstone %s: %s", tombstone.Key, h.describe(tombstone.Obj)), true)
		return
	}
	h.note("delete "+h.describe(object), false)
}

func (h *handler) describe(object any) string {
	c, ok := object.(*corev1.ConfigMap)
	if !ok {
		return fmt.Sprintf("%T", object)
	}
	uid := h.performance.world.Alias(string(c.UID))
	return fmt.Sprintf("%s@%s %s n=%q", c.Name, c.ResourceVersion, uid, c.Data["n"])
}

// note writes a line. A slow handler takes its time first.
func (h *handler) note(text string, tombstone bool) {
	p := h.performance
	if h.like != nil {
		select {
		case <-time.After(20 * time.Second):
		case <-p.hurry:
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lines = append(h.lines, line{p.phases.now(), tombstone, text})
	if h.like != nil {
		h.synced = append(h.synced, h.registration.HasSynced())
	}
}

// String is what is compared. What client-go does in a map's order is sorted: the objects of a store, to one who joins
// or in a resync; the objects of a streaming list; and the deletions that a list makes known.
//
// A slow handler is told in the order of one like it, whatever that is, so theirs is compared as it was.
func (h *handler) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.like != nil {
		return fmt.Sprintf("%s: synced %v, and otherwise as %s: %s", h.name, h.synced, h.like.name,
			scripted.Difference(h.like.raw(), h.raw()))
	}
	text := h.name + ":"
	for from := 0; from < len(h.lines); {
		first, to := h.lines[from], from
		for to < len(h.lines) && h.lines[to].phase == first.phase && h.lines[to].tombstone == first.tombstone {
			to++
		}
		run := slices.Clone(h.lines[from:to])
		from = to
		if first.tombstone || first.phase.kind != watching && first.phase.kind != listing {
			slices.SortFunc(run, func(a, b line) int { return strings.Compare(a.text, b.text) })
		}
		for _, l := range run {
			text += fmt.Sprintf("\n  %d %s: %s", l.phase.number, l.phase.kind, l.text)
		}
	}
	return text
}

// raw is what a handler was told, as it was.
func (h *handler) raw() string {
	var all []string
	for _, l := range h.lines {
		all = append(all, l.text)
	}
	return strings.Join(all, "\n")
}

// storeText is what the store has, with its index.
func storeText(p *performance) string {
	h := handler{performance: p}
	var all []string
	for _, object := range p.informer.GetStore().List() {
		value := object.(*corev1.ConfigMap).Data["n"]
		keys, err := p.informer.GetIndexer().IndexKeys("n", value)
		slices.Sort(keys)
		all = append(all, fmt.Sprintf("  %s, indexed with %v, %v", h.describe(object), keys, err))
	}
	slices.Sort(all)
	values := p.informer.GetIndexer().ListIndexFuncValues("n")
	slices.Sort(values)
	return strings.Join(all, "\n") + fmt.Sprintf("\n  the index has %q", values)
}
