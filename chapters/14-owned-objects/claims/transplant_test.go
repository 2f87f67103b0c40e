package claims

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/managed"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
	scenes "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
)

// ours is this chapter's controller.
func ours() scenes.Way { return scenes.Way{Parts: owned.Ours} }

// ourInformer is the type of what chapter 07 makes.
const ourInformer = "*informer.SharedIndexInformer"

// The chapter's controller stands on chapter 07's informer and chapter 08's queues as on upstream's: with a watch that
// is late at each step it comes to the same end.
func TestTheControllerRunsOnOurs(t *testing.T) {
	for name, c := range map[string]struct {
		parts managed.Parts
		made  []string
	}{
		"upstream": {managed.Upstream(), nil},
		"informer and queue": {managed.Book(),
			[]string{ourInformer, ourInformer, "*workqueue.RateLimitingQueue"}},
		"informer and queue with priorities": {managed.BookPriority(),
			[]string{ourInformer, ourInformer, "*priorityqueue.Queue"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			w := s.world()
			var made kinds
			tally := scenes.NewTally(0)
			controller, err := w.Start(t.Context(), scenes.Options{Way: ours(), Namespace: s.Namespace,
				Parts: made.noted(c.parts), Tally: tally})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, controller.Stop()) })
			m := &moving{s, controller, scenes.Set(s.Namespace, "web", 5)}

			m.late(func() error { return s.user.Create(t.Context(), m.set) }, 0, 1, 2, 3, 4)
			m.late(func() error { return w.Scale(t.Context(), m.set, 2) }, 0, 1)
			m.late(func() error { return s.user.Delete(t.Context(), s.child("web-0")) }, 1, 5)
			m.late(func() error {
				return s.user.Patch(t.Context(), s.child("web-1"),
					client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":{"app":"other"}}}`)))
			}, 5, 6)
			require.Empty(t, onServer(s, s.child("web-1")).OwnerReferences)
			require.Equal(t, 7, tally.Made())
			require.ElementsMatch(t, c.made, made.all())
		})
	}
}

// moving is a set whose controller has a late watch of the children.
type moving struct {
	*site
	controller *scenes.Site
	set        *v1alpha1.ProcessSet
}

// late does something while the watch is held, edits the set, which leads to one more run, and lets the watch go. Then
// those with the numbers are there before long, and no others, the status says so of this spec, and the controller
// rests. Their count alone would not do: a child that is about to be released counts, too.
func (m *moving) late(do func() error, numbers ...int) {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(m.t.Context(), time.Minute)
	defer cancel()
	m.controller.Close()
	require.NoError(m.t, do())
	require.NoError(m.t, m.controller.Rest(ctx, func() error {
		return m.user.Patch(ctx, m.set, client.RawPatch(types.MergePatchType,
			fmt.Appendf(nil, `{"metadata":{"annotations":{"edited":"%d"}}}`, time.Now().UnixNano())))
	}))
	m.controller.Open()
	require.NoError(m.t, scenes.Until(ctx, func() bool {
		now := onServer(m.site, m.set)
		return m.controller.Held() == 0 && m.controller.Rests() && slices.Equal(m.owned(), m.names(numbers...)) &&
			int(now.Status.Replicas) == len(numbers) && now.Status.ObservedGeneration == now.Generation && m.shown(now)
	}), "there are %v", m.owned())
}

// shown says whether the controller has noted how far the numbers have come, which is the last that it writes.
func (m *moving) shown(now *v1alpha1.ProcessSet) bool {
	for _, p := range m.owned() {
		if n, ok := owned.Number(m.set.Name, p); ok && n >= owned.Next(now) {
			return false
		}
	}
	return true
}

// owned are the names of the children, in order.
func (m *moving) owned() (all []string) {
	m.t.Helper()
	var there v1alpha1.ProcessList
	require.NoError(m.t, m.user.List(m.t.Context(), &there, client.InNamespace(m.Namespace)))
	for i := range there.Items {
		if metav1.IsControlledBy(&there.Items[i], m.set) {
			all = append(all, there.Items[i].Name)
		}
	}
	return all
}

// names are those of these numbers.
func (m *moving) names(numbers ...int) (all []string) {
	for _, n := range numbers {
		all = append(all, owned.Name(m.set.Name, n))
	}
	return all
}

// kinds are the types of what parts have made.
type kinds struct {
	lock sync.Mutex // guards made
	made []string
}

func (k *kinds) note(what any) {
	k.lock.Lock()
	defer k.lock.Unlock()
	name, _, _ := strings.Cut(fmt.Sprintf("%T", what), "[")
	k.made = append(k.made, name)
}

func (k *kinds) all() []string {
	k.lock.Lock()
	defer k.lock.Unlock()
	return k.made
}

// noted are parts that note what they make.
func (k *kinds) noted(parts managed.Parts) managed.Parts {
	noted := parts
	if parts.NewInformer != nil {
		noted.NewInformer = func(from cache.ListerWatcher, example runtime.Object, resync time.Duration,
			indexers cache.Indexers) cache.SharedIndexInformer {
			informer := parts.NewInformer(from, example, resync, indexers)
			k.note(informer)
			return informer
		}
	}
	if parts.NewQueue != nil {
		noted.NewQueue = func(name string, limiter workqueue.TypedRateLimiter[reconcile.Request]) managed.Queue {
			queue := parts.NewQueue(name, limiter)
			k.note(queue)
			return queue
		}
	}
	return noted
}
