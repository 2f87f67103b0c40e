// Package recreated makes lives of what an informer tells a handler. To an informer an object is its key: where one
// was deleted and another was made under the same key, it may tell of an update.
package recreated

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	_ "k8s.io/apimachinery/pkg/types" // a UID is a types.UID
	"k8s.io/client-go/tools/cache"
)

// Lives is told of lives. A life is that of one object under one key, and the UID says which object it is. It begins
// when the handler first hears of it, and ends when it is gone for this informer: an object with a deletionTimestamp
// is still there. The key is what cache.MetaNamespaceKeyFunc returns.
//
// All three functions are there. None of them calls the handler.
type Lives struct {
	// Born begins a life, and brings its first state.
	Born func(obj metav1.Object)
	// Changed brings another state of a life. old is the state that was told before it.
	Changed func(old, now metav1.Object)
	// Died ends a life. If final, last is the object as it was deleted. Otherwise nobody knows its final state, and
	// last is the state that was told last.
	Died func(last metav1.Object, final bool)
}

// New returns a handler that tells l of lives.
func New(l Lives) cache.ResourceEventHandler { return &journal{Lives: l} }

// A page is about one key, or about one that was.
type page struct {
	key    string
	states []metav1.Object // of the life that is not over, the newest last; none where nothing lives
}

// journal writes down what came before it tells of it.
type journal struct {
	Lives
	pages []*page
}

func (j *journal) OnAdd(obj any, _ bool) { j.OnUpdate(nil, obj) }

func (j *journal) OnUpdate(_, obj any) {
	now, ok := obj.(metav1.Object)
	if !ok {
		return
	}
	p := j.page(cache.NewObjectName(now.GetNamespace(), now.GetName()).String())
	if last := p.last(); last != nil && last.GetUID() != now.GetUID() {
		j.end(p, last, false)
	}
	if last := p.last(); last != nil && last.GetResourceVersion() != "" {
		if last.GetResourceVersion() == now.GetResourceVersion() {
			return
		}
	}
	p.states = append(p.states, now)
	if n := len(p.states); n == 1 {
		j.Born(now)
	} else {
		j.Changed(p.states[n-2], now)
		p.states = []metav1.Object{now}
	}
}

func (j *journal) OnDelete(obj any) {
	switch what := obj.(type) {
	case cache.DeletedFinalStateUnknown:
		if p := j.page(what.Key); p.last() != nil {
			j.end(p, p.last(), false)
		}
	case metav1.Object:
		p := j.page(cache.NewObjectName(what.GetNamespace(), what.GetName()).String())
		switch last := p.last(); {
		case last == nil:
		case last.GetUID() == what.GetUID():
			j.end(p, what, true)
		default:
			j.end(p, last, false)
		}
	}
}

// page finds the page of a key, or begins one.
func (j *journal) page(key string) *page {
	for _, p := range j.pages {
		if p.key == key {
			return p
		}
	}
	p := &page{key: key}
	j.pages = append(j.pages, p)
	return p
}

// end ends the life on a page.
func (j *journal) end(p *page, last metav1.Object, final bool) {
	p.states = nil
	j.Died(last, final)
}

// last is the state that came last, or nil where nothing lives.
func (p *page) last() metav1.Object {
	if len(p.states) == 0 {
		return nil
	}
	return p.states[len(p.states)-1]
}
