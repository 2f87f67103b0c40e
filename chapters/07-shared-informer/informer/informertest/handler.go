package informertest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// handler writes down what it is told, and what is wrong with that: a call while another one runs; a change that does
// not begin where the one before ended; a store that is behind.
type handler struct {
	rig          *rig
	name         string
	held         chan struct{} // calls wait for it; closed if they don't
	freed        sync.Once
	panics       bool // in the first call
	leaves       bool // in the first call
	registration cache.ResourceEventHandlerRegistration

	mu    sync.Mutex
	first bool                         // nothing has come yet
	calls int                          // under way
	known map[string]*corev1.ConfigMap // the last state of each name that it was told
	news  []news
	wrong []string // news, too
}

// news is one notification.
type news struct{ name, text string }

func (r *rig) newHandler(name, how string) *handler {
	h := &handler{rig: r, name: name, first: true, known: map[string]*corev1.ConfigMap{},
		held: make(chan struct{}), panics: strings.Contains(how, "panicking"), leaves: strings.Contains(how, "leaving")}
	if !strings.Contains(how, "held") {
		h.free()
	}
	return h
}

// OnAdd implements cache.ResourceEventHandler.
func (h *handler) OnAdd(obj any, isInInitialList bool) {
	verb := "add "
	if isInInitialList {
		verb = "initial "
	}
	h.hear(verb+describe(obj), nil, last(obj), obj)
}

// OnUpdate implements cache.ResourceEventHandler.
func (h *handler) OnUpdate(old, obj any) {
	h.hear(describeUpdate(old, obj), last(old), last(obj), obj)
}

// OnDelete implements cache.ResourceEventHandler.
func (h *handler) OnDelete(obj any) {
	h.hear("delete "+describe(obj), last(obj), nil, obj)
}

// hear is one call: a change of obj from an old state to a new one.
func (h *handler) hear(text string, from, to *corev1.ConfigMap, obj any) {
	key, _ := cache.DeletionHandlingMetaNamespaceKeyFunc(obj)
	name := strings.TrimPrefix(key, "default/")
	_, unseen := obj.(cache.DeletedFinalStateUnknown)
	first := h.enter(name, text, from, to, unseen)
	defer h.leave()
	<-h.held
	if first && h.leaves {
		h.rig.tell(h.name, "leaves "+outcome(h.rig.informer.RemoveEventHandler(h.registration)))
	}
	if first && h.panics {
		panic("the first call of a handler that panics in it")
	}
}

// enter writes the call down, and says whether it is the first.
func (h *handler) enter(name, text string, from, to *corev1.ConfigMap, unseen bool) (first bool) {
	objection := h.rig.behind(name, from, to, unseen)
	if h.rig.setup.has("looking") {
		text += " [" + h.rig.store() + "]"
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.calls++; h.calls > 1 {
		objection += " during another call"
	}
	known := h.known[name]
	fits := versionOf(from) == versionOf(known)
	if to == nil && !unseen { // it has the version of its deletion
		fits = known != nil && versionOf(from) > versionOf(known)
	}
	if !fits {
		objection += " after " + describe(known)
	}
	if text += objection; objection != "" {
		h.wrong = append(h.wrong, text)
	}
	h.known[name] = to
	h.news = append(h.news, news{name, text})
	first, h.first = h.first, false
	return first
}

func (h *handler) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls--
}

// free lets all calls return.
func (h *handler) free() { h.freed.Do(func() { close(h.held) }) }

// look returns what has come since the last look, many as their number and the last of them. The order of different
// objects is nobody's business, unless a sentence says so.
func (h *handler) look() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.rig.setup.has("in order") {
		slices.SortStableFunc(h.news, func(a, b news) int { return strings.Compare(a.name, b.name) })
	}
	texts := make([]string, len(h.news))
	for i, n := range h.news {
		texts[i] = n.text
	}
	h.news = nil
	if n := len(texts); n > 10 {
		texts = []string{fmt.Sprint(n), texts[n-1]}
	}
	return strings.Join(texts, ", ")
}

// behind says what is wrong with the store at a notification. Where the index is slow nobody is to ask the store, which
// may be locked as long; so who is called while the object is indexed is called too early.
func (r *rig) behind(name string, from, to *corev1.ConfigMap, unseen bool) string {
	if r.setup.has("slow index") {
		time.Sleep(indexing / 2)
		if r.indexes(name, 0) {
			return " before the index has it"
		}
		return ""
	}
	version := versionOf(to)
	if to == nil {
		version = versionOf(from)
	}
	if unseen {
		version++ // the deletion came later than the last known state
	}
	obj, _, _ := r.informer.GetStore().GetByKey("default/" + name)
	if held := last(obj); !r.source.atLeast(version, name, held) {
		return " while the store has " + describe(held)
	}
	return ""
}
