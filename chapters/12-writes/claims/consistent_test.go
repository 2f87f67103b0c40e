package claims

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	held "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/managed"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
)

// behind is a manager whose cache is fed by a watch of Processes that is held back from its client's first PUT on.
type behind struct {
	manager.Manager
	over   client.Client
	hold   *held.Hold
	record *opened.Record
}

// behind runs one, with the objects of the test's namespace in its cache unless change says otherwise.
func (y *yard) behind(t *testing.T, change func(*manager.Options), add ...func(manager.Manager)) *behind {
	t.Helper()
	b := y.made(t, change)
	for _, one := range add {
		one(b.Manager)
	}
	b.run(t)
	return b
}

// run starts it, until the end of the test.
func (b *behind) run(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- b.Start(ctx) }()
	t.Cleanup(func() {
		b.hold.Release()
		cancel()
		require.NoError(t, <-ended)
	})
	require.True(t, b.GetCache().WaitForCacheSync(t.Context()))
}

// made is a manager that is not started.
func (y *yard) made(t *testing.T, change func(*manager.Options)) *behind {
	t.Helper()
	b := &behind{record: opened.New(), hold: held.HoldAtUpdate(y.HTTPClient().Transport, "processes")}
	access := managed.Over(&rest.Config{Host: y.Server.String(), QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}, b.record.Transport("")(b.hold))
	options := manager.Options{Scheme: scenario.Known(), Metrics: server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: ptr.To(true)},
		Cache:      cache.Options{DefaultNamespaces: map[string]cache.Config{y.Namespace: {}}}}
	if change != nil {
		change(&options)
	}
	m, err := manager.New(access, options)
	require.NoError(t, err)
	b.Manager, b.over = m, m.GetClient()
	return b
}

// grow updates a Process through the manager's client, which holds back what the watch would tell of it.
func (b *behind) grow(t *testing.T, p *v1alpha1.Process) {
	t.Helper()
	p.Spec.GracePeriodSeconds = ptr.To[int32](grace)
	require.NoError(t, b.over.Update(t.Context(), p))
}

// seconds is a Process's grace period as somebody reads it.
func seconds(t *testing.T, over client.Reader, p *v1alpha1.Process) int32 {
	t.Helper()
	var read v1alpha1.Process
	require.NoError(t, over.Get(t.Context(), client.ObjectKeyFromObject(p), &read))
	return *read.Spec.GracePeriodSeconds
}

// brief is a context for what would wait for ever.
func brief(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// consistent has a manager's client wait for its own writes.
func consistent(o *manager.Options) {
	o.Client.Cache = &client.CacheOptions{EnableReadYourWritesConsistency: ptr.To(true)}
}

// With EnableReadYourWritesConsistency a read waits until the watch has told of this client's write; here it is held
// back, and so the read ends with its context. Then it reads what was written. "The gap between write and cache is
// inherent" is what the second client shows, as it comes. Each of both writes all the same: only reads wait.
//
// covers: B-106 C-44
func TestAClientThatWaits(t *testing.T) {
	y := newYard(t)
	for name, c := range map[string]struct {
		change func(*manager.Options)
		waits  bool
	}{"waits": {consistent, true}, "comes": {nil, false}} {
		p := y.read(t, name)
		b := y.behind(t, c.change)
		require.Equal(t, int32(10), seconds(t, b.over, p), name)
		b.grow(t, p)
		var read v1alpha1.Process
		err := b.over.Get(brief(t), client.ObjectKeyFromObject(p), &read)
		require.Equal(t, c.waits, err != nil, "%s: %v", name, err)
		var all v1alpha1.ProcessList
		err = b.over.List(brief(t), &all, client.InNamespace(y.Namespace))
		require.Equal(t, c.waits, err != nil, "%s: %v", name, err)
		if c.waits {
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Equal(t, int32(10), seconds(t, unwaiting(b), p), "without waiting")
		}
		b.hold.Release()
		if c.waits {
			require.Equal(t, int32(grace), seconds(t, b.over, p), "the first read that does not fail")
		}
	}
}

// unwaiting reads as the client does that does not wait.
func unwaiting(b *behind) client.Reader { return b.GetCache() }

// What another client writes is as late as ever, and a conflict is as possible.
//
// covers: B-106
func TestOnlyOwnWritesAreWaitedFor(t *testing.T) {
	y := newYard(t)
	p, other := y.read(t, "own"), y.read(t, "other")
	b := y.behind(t, consistent)
	require.Equal(t, int32(10), seconds(t, b.over, other))
	b.grow(t, p) // from here on the watch is held back
	require.NoError(t, y.user.Patch(t.Context(), scenario.Named(other.Namespace, other.Name),
		client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"gracePeriodSeconds":60}}`))))
	require.Equal(t, int32(10), seconds(t, b.over, other), "nobody waits for it")
	other.Spec.GracePeriodSeconds = ptr.To[int32](grace)
	require.True(t, apierrors.IsConflict(b.over.Update(t.Context(), other)))
}

// A write of nested maps is noted where reads of Go structs look. So a read of nested maps waits for nothing, and a
// read of Go structs waits for a write of nested maps.
//
// covers: B-107
func TestAWriteInAnotherForm(t *testing.T) {
	y := newYard(t)
	p := y.read(t, "loose")
	b := y.behind(t, func(o *manager.Options) {
		consistent(o)
		o.Client.Cache.Unstructured = true
	})
	loose := func() *unstructured.Unstructured {
		u := &unstructured.Unstructured{}
		u.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Process"))
		require.NoError(t, b.over.Get(brief(t), client.ObjectKeyFromObject(p), u))
		return u
	}
	require.Equal(t, int32(10), seconds(t, b.over, p))
	u := loose()
	require.NoError(t, unstructured.SetNestedField(u.Object, int64(grace), "spec", "gracePeriodSeconds"))
	require.NoError(t, b.over.Update(t.Context(), u))
	got, _, _ := unstructured.NestedInt64(loose().Object, "spec", "gracePeriodSeconds")
	require.Equal(t, int64(10), got, "read at once, and old")
	require.ErrorIs(t, b.over.Get(brief(t), client.ObjectKeyFromObject(p), &v1alpha1.Process{}),
		context.DeadlineExceeded)
	b.hold.Release()
}

// With the option, a write of a kind first asks for an informer of it: of all namespaces that the cache has, also if
// reads of it are to go past the cache. Before the start there is none to be had, and so the write waits, and writes
// nothing, unless it is told not to.
//
// covers: B-108
func TestAWriteBeginsAWatch(t *testing.T) {
	y := newYard(t)
	secret := func(name string) *corev1.Secret {
		return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: y.Namespace, Name: name}}
	}
	unread := func(o *manager.Options) {
		consistent(o)
		o.Client.Cache.DisableFor = []client.Object{&corev1.Secret{}}
	}
	for name, c := range map[string]struct {
		change func(*manager.Options)
		asks   []string
	}{
		"consistent": {unread, []string{"GET secrets, a watch", "POST secrets"}},
		"plain":      {nil, []string{"POST secrets"}},
	} {
		b := y.behind(t, c.change)
		b.record.Restart()
		require.NoError(t, b.over.Create(t.Context(), secret(name)))
		asked := b.record.Lines(opened.Requests)
		for _, line := range c.asks {
			require.Contains(t, asked, line, name)
		}
		require.Equal(t, len(c.asks) > 1, slices.Contains(asked, "GET secrets, a watch"), "%s: %v", name, asked)
	}
	b := y.made(t, unread)
	require.Error(t, b.over.Create(brief(t), secret("early")))
	err := y.user.Get(t.Context(), client.ObjectKeyFromObject(secret("early")), secret(""))
	require.True(t, apierrors.IsNotFound(err), "and wrote nothing")
	require.NoError(t, b.over.Create(t.Context(), secret("early"), client.DisableReadYourWritesConsistency))
	b.run(t) // or what waits for its informer waits for ever
}

// What is waited for is an event. Of what the cache can't see none comes: a read of it, and a list of its kind, waits
// until its context ends, or until another object changes. After a delete of such an object each list of the kind
// waits.
//
// covers: B-109
func TestWhatACacheCantSee(t *testing.T) {
	y := newYard(t)
	selected := func(o *manager.Options) {
		consistent(o)
		o.Cache.ByObject = map[client.Object]cache.ByObject{&v1alpha1.Process{}: {
			Label: labels.SelectorFromSet(labels.Set{"seen": "yes"})}}
	}
	b := y.behind(t, selected)
	var all v1alpha1.ProcessList
	require.NoError(t, b.over.List(t.Context(), &all))
	unseen := scenario.Named(y.Namespace, "unseen")
	unseen.Spec.Command = "sleep"
	require.NoError(t, b.over.Create(t.Context(), unseen))
	key := client.ObjectKeyFromObject(unseen)
	require.ErrorIs(t, b.over.Get(brief(t), key, &v1alpha1.Process{}), context.DeadlineExceeded)
	require.ErrorIs(t, b.over.List(brief(t), &all), context.DeadlineExceeded)
	seen := scenario.Named(y.Namespace, "seen")
	seen.Spec.Command, seen.Labels = "sleep", map[string]string{"seen": "yes"}
	require.NoError(t, y.user.Create(t.Context(), seen))
	require.NoError(t, b.over.List(t.Context(), &all), "an event of another object has a newer version")
	require.NoError(t, b.over.Delete(t.Context(), unseen))
	require.ErrorIs(t, b.over.List(brief(t), &all), context.DeadlineExceeded)
	require.NoError(t, y.user.Delete(t.Context(), seen))
	require.ErrorIs(t, b.over.List(brief(t), &all), context.DeadlineExceeded, "no event of another object ends it")
}

// It is another client: it has no DeleteAllOf, and it deletes by UID, so that an object without one has to be in the
// cache first.
//
// covers: B-110
func TestWhatAClientThatWaitsCantDo(t *testing.T) {
	y := newYard(t)
	y.read(t, "all")
	for waits, change := range map[bool]func(*manager.Options){true: consistent, false: nil} {
		b := y.behind(t, change)
		err := b.over.DeleteAllOf(t.Context(), &v1alpha1.Process{}, client.InNamespace(y.Namespace))
		require.Equal(t, waits, err != nil, "%v", err)
		if waits {
			require.ErrorContains(t, err, "not supported by consistentClient")
		}
		p := y.read(t, fmt.Sprintf("deleted-%v", waits))
		b.grow(t, p) // the watch is held back: the cache has no more than was there
		later := y.read(t, fmt.Sprintf("later-%v", waits))
		err = b.over.Delete(brief(t), scenario.Named(later.Namespace, later.Name))
		require.Equal(t, waits, err != nil, "%v", err)
		require.NoError(t, b.over.Delete(t.Context(), p), "one that has its UID")
	}
}
