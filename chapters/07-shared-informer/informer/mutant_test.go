package informer_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector/reflectortest/scripted"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
)

// A difference that is there is found: each of these informers does one thing otherwise than ours. One of them does
// not, and there is no difference.
func TestDifferentialFinds(t *testing.T) {
	const tried = 12 // scenes at most
	theirs := map[uint64]string{}
	find := func(t *testing.T, mutate func(m *mutant), scenes uint64) string {
		for seed := range scenes {
			s := drawn(seed)
			if theirs[seed] == "" {
				theirs[seed], _ = perform(t, s, theirInformer)
			}
			m := &mutant{}
			mutate(m)
			text, _ := perform(t, s, m.create)
			if difference := scripted.Difference(theirs[seed], text); difference != "" {
				return fmt.Sprintf("seed %d: %s", seed, difference)
			}
		}
		return ""
	}
	require.Empty(t, find(t, func(*mutant) {}, 3), "nothing is otherwise")
	for name, mutate := range mutations {
		t.Run(name, func(t *testing.T) {
			difference := find(t, mutate, tried)
			require.NotEmpty(t, difference, "no difference in %d scenes", tried)
			t.Log(difference)
		})
	}
}

// mutant is an informer that does something otherwise. What is nil is left as it is.
type mutant struct {
	cache.SharedIndexInformer
	resync  time.Duration
	asks    func(o *metav1.ListOptions)
	indexes cache.IndexFunc
	told    func(h *handler, n notification) []notification // what a handler is told instead
	period  func(h *handler, period *time.Duration) *time.Duration
	early   bool // handlers have synced at once
	keeps   bool // handlers that were removed
	asItIs  bool // without the transform
}

// create makes the informer that the mutant is in front of.
func (m *mutant) create(lw cache.ListerWatcher, resync time.Duration,
	indexers cache.Indexers) cache.SharedIndexInformer {
	if m.asks != nil {
		lw = asking{lw.(*cache.ListWatch), m.asks}
	}
	if m.indexes != nil {
		indexers = cache.Indexers{"n": m.indexes}
	}
	m.SharedIndexInformer, m.resync = ourInformer(lw, resync, indexers), resync
	return m
}

// asking sends other requests for watches.
type asking struct {
	*cache.ListWatch
	otherwise func(o *metav1.ListOptions)
}

func (a asking) WatchWithContext(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	a.otherwise(&o)
	return a.ListWatch.WatchWithContext(ctx, o)
}

// handle is a mutant's.
type handle struct {
	cache.ResourceEventHandlerRegistration
	*mutant
}

func (h handle) HasSynced() bool {
	return h.early || h.ResourceEventHandlerRegistration.HasSynced()
}

func (h handle) HasSyncedChecker() cache.DoneChecker {
	return h.ResourceEventHandlerRegistration.HasSyncedChecker()
}

func (h handle) ShutdownChan() <-chan struct{} {
	if h.keeps {
		ended := make(chan struct{})
		close(ended)
		return ended
	}
	return h.ResourceEventHandlerRegistration.(*informer.Registration).ShutdownChan()
}

// notification is a call of a handler.
type notification struct {
	old, object any // an add has no old, a delete no object
	initial     bool
}

// told is a handler that is told otherwise.
type told struct {
	*handler
	instead func(h *handler, n notification) []notification
}

func (o told) OnAdd(object any, isInInitialList bool) {
	o.tell(notification{object: object, initial: isInInitialList})
}
func (o told) OnUpdate(old, object any) { o.tell(notification{old: old, object: object}) }
func (o told) OnDelete(object any)      { o.tell(notification{old: object}) }

func (o told) tell(n notification) {
	for _, n := range o.instead(o.handler, n) {
		switch {
		case n.old == nil:
			o.handler.OnAdd(n.object, n.initial)
		case n.object == nil:
			o.handler.OnDelete(n.old)
		default:
			o.handler.OnUpdate(n.old, n.object)
		}
	}
}

func (m *mutant) AddEventHandlerWithOptions(h cache.ResourceEventHandler, o cache.HandlerOptions) (
	cache.ResourceEventHandlerRegistration, error) {
	if m.period != nil {
		o.ResyncPeriod = m.period(h.(*handler), o.ResyncPeriod)
	}
	if m.told != nil {
		h = told{h.(*handler), m.told}
	}
	r, err := m.SharedIndexInformer.AddEventHandlerWithOptions(h, o)
	return handle{r, m}, err
}

func (m *mutant) RemoveEventHandler(r cache.ResourceEventHandlerRegistration) error {
	if m.keeps {
		return nil
	}
	return m.SharedIndexInformer.RemoveEventHandler(r.(handle).ResourceEventHandlerRegistration)
}

func (m *mutant) SetTransform(f cache.TransformFunc) error {
	if m.asItIs {
		return nil
	}
	return m.SharedIndexInformer.SetTransform(f)
}

// instead makes a mutation of what a handler of this name is told.
func instead(name string, told func(n notification) []notification) func(m *mutant) {
	return func(m *mutant) {
		m.told = func(h *handler, n notification) []notification {
			if h.name != name {
				return []notification{n}
			}
			return told(n)
		}
	}
}

// mutations are what is wrong with each.
var mutations = map[string]func(m *mutant){
	"one notification is lost": func(m *mutant) {
		n := 0
		instead("first", func(one notification) []notification {
			if n++; n == 7 {
				return nil
			}
			return []notification{one}
		})(m)
	},
	"one notification comes twice to the slow one": func(m *mutant) {
		n := 0
		instead("slow", func(one notification) []notification {
			if n++; n == 7 {
				return []notification{one, one}
			}
			return []notification{one}
		})(m)
	},
	"two changes of an object change places": func(m *mutant) {
		var held []notification
		instead("first", func(one notification) []notification {
			if !one.initial && one.old != nil && len(held) == 0 {
				held = []notification{one}
				return nil
			}
			defer func() { held = []notification{} }()
			return append([]notification{one}, held...)
		})(m)
	},
	"old and new are swapped": instead("periodic", func(n notification) []notification {
		if n.old != nil && n.object != nil {
			n.old, n.object = n.object, n.old
		}
		return []notification{n}
	}),
	"the initial list is news": instead("late", func(n notification) []notification {
		n.initial = false
		return []notification{n}
	}),
	"a handler that joins is told of nothing that is there": instead("late", func(n notification) []notification {
		if n.initial {
			return nil
		}
		return []notification{n}
	}),
	"a handler that comes back is told of what comes by a watch alone": instead("leaving",
		func(n notification) []notification {
			if _, ok := n.old.(cache.DeletedFinalStateUnknown); ok {
				return nil
			}
			return []notification{n}
		}),
	"a tombstone is opened": instead("first", func(n notification) []notification {
		if tombstone, ok := n.old.(cache.DeletedFinalStateUnknown); ok {
			n.old = tombstone.Obj
		}
		return []notification{n}
	}),
	"another object under the same key is deleted and added": instead("first", func(n notification) []notification {
		old, ok := n.old.(metav1.Object)
		object, isUpdate := n.object.(metav1.Object)
		if !ok || !isUpdate || old.GetUID() == object.GetUID() {
			return []notification{n}
		}
		return []notification{{old: n.old}, {object: n.object}}
	}),
	"who wants no resync gets it": func(m *mutant) {
		m.period = func(h *handler, period *time.Duration) *time.Duration {
			if h.name == "first" || h.name == "slow" {
				return ptr.To(m.resync)
			}
			return period
		}
	},
	"who wants a resync does not get it": func(m *mutant) {
		m.period = func(h *handler, period *time.Duration) *time.Duration {
			if h.name == "late with a period" {
				return ptr.To[time.Duration](0)
			}
			return period
		}
	},
	"who wants another period gets the informer's": func(m *mutant) {
		m.period = func(h *handler, period *time.Duration) *time.Duration {
			if strings.HasPrefix(h.name, "late") {
				return nil
			}
			return period
		}
	},
	"a handler has synced as soon as it is there": func(m *mutant) { m.early = true },
	"a handler that was removed hears on":         func(m *mutant) { m.keeps = true },
	"objects are kept as they came":               func(m *mutant) { m.asItIs = true },
	"an index has nothing": func(m *mutant) {
		m.indexes = func(any) ([]string, error) { return nil, nil }
	},
	"watches are asked for without bookmarks": func(m *mutant) {
		m.asks = func(o *metav1.ListOptions) { o.AllowWatchBookmarks = o.SendInitialEvents != nil }
	},
}
