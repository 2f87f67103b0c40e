package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/deletion"
	finalizer "github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/exercises/1-finalizer"
)

// protocol stands before a kubelet, and does what the reader's Protocol says. What a later stage of it does, the
// book does until then.
type protocol struct {
	*place
	known   protocolStages
	guard   *deletion.Guard // the book's
	between func()          // what somebody does before the first patch is sent
	once    sync.Once

	lock   sync.Mutex // guards what follows
	result map[types.NamespacedName]reconcile.Result
	ends   map[types.NamespacedName]error // what Run has returned for an object that was gone, or nil
	made   map[string][]string            // which finalizers an object had when Make was called first
}

// protocolStages are those of 16.1 beyond the first.
type protocolStages struct{ cleans, forgives, locks bool }

// newProtocol looks at what is written.
func newProtocol(between func(*place)) *protocol {
	b := &protocol{result: map[types.NamespacedName]reconcile.Result{}, ends: map[types.NamespacedName]error{},
		made: map[string][]string{}}
	b.between = func() { between(b.place) }
	b.known = protocolStages{
		cleans: probe(going).cleaned, locks: probe(alive).locked, forgives: probe(absent).err == nil}
	return b
}

// missing says what the book does.
func (b *protocol) missing() string {
	if !b.known.cleans {
		return "Stage 2 of 16.1 is still to be written. Until then the book cleans up."
	}
	return ""
}

// Reconcile implements reconcile.Reconciler.
func (b *protocol) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var o v1alpha1.Process
	err := b.manager.GetClient().Get(ctx, request.NamespacedName, &o)
	switch {
	case client.IgnoreNotFound(err) != nil:
		return reconcile.Result{}, err
	case err == nil && o.DeletionTimestamp != nil && !b.known.cleans:
		return b.guard.Reconcile(ctx, request)
	case err == nil && !b.kubelet.Ours(&o) && !slices.Contains(o.Finalizers, b.key):
		return b.kubelet.Reconcile(ctx, request)
	}
	failed := (&finalizer.Protocol{API: b, World: b, Key: b.key}).Run(ctx, request.NamespacedName)
	b.lock.Lock()
	defer b.lock.Unlock()
	result := b.result[request.NamespacedName]
	delete(b.result, request.NamespacedName)
	if err != nil {
		b.ends[request.NamespacedName] = failed
	}
	if err != nil || o.DeletionTimestamp != nil && !slices.Contains(o.Finalizers, b.key) {
		return b.kubelet.Reconcile(ctx, request) // to forget it: your Run has nothing to do with it
	}
	return result, failed
}

// Get implements finalizer.API. It reads from the cache.
func (b *protocol) Get(ctx context.Context, at types.NamespacedName) (*metav1.PartialObjectMetadata, error) {
	var o v1alpha1.Process
	if err := b.manager.GetClient().Get(ctx, at, &o); err != nil {
		return nil, err
	}
	return &metav1.PartialObjectMetadata{TypeMeta: processType, ObjectMeta: o.ObjectMeta}, nil
}

// Patch implements finalizer.API. It returns when the cache has what was written: so what comes of it does not depend
// on which of two changes the next run sees.
func (b *protocol) Patch(ctx context.Context, at types.NamespacedName, patch []byte) error {
	b.once.Do(b.between)
	o := b.Process(at.Name, "")
	if err := b.manager.GetClient().Patch(ctx, o, client.RawPatch(types.MergePatchType, patch)); err != nil {
		if apierrors.IsConflict(err) {
			b.lab.Wire("409 Conflict: your Patch of %s, which has changed since your Get", at.Name)
		}
		return err
	}
	return b.until(ctx, func() bool {
		cached, err := b.Get(ctx, at)
		if err != nil || cached.UID != o.UID {
			return true
		}
		order, err := resourceversion.CompareResourceVersion(cached.ResourceVersion, o.ResourceVersion)
		return err != nil || order >= 0
	})
}

// Make implements finalizer.World: the kubelet starts the process.
func (b *protocol) Make(ctx context.Context, o *metav1.PartialObjectMetadata) error {
	var now v1alpha1.Process
	if err := b.User.Get(ctx, client.ObjectKeyFromObject(o), &now); client.IgnoreNotFound(err) != nil {
		return err
	}
	b.lock.Lock()
	if _, before := b.made[o.Name]; !before {
		b.made[o.Name] = now.Finalizers
	}
	b.lock.Unlock()
	return b.hand(ctx, o)
}

// madeWith are the finalizers that an object had when Make was called for it first.
func (b *protocol) madeWith(name string) []string {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.made[name]
}

// Clean implements finalizer.World: the kubelet stops the process, and the chapter's steps do the rest.
func (b *protocol) Clean(ctx context.Context, o *metav1.PartialObjectMetadata) (done bool, err error) {
	if err := b.hand(ctx, o); err != nil {
		return false, err
	}
	_, err = b.guard.Clean.Finalize(ctx, o.DeepCopy())
	if w := (*deletion.Waiting)(nil); errors.As(err, &w) {
		return false, nil
	}
	return err == nil, err
}

// hand has the kubelet see to an object.
func (b *protocol) hand(ctx context.Context, o *metav1.PartialObjectMetadata) error {
	at := client.ObjectKeyFromObject(o)
	result, err := b.kubelet.Reconcile(ctx, reconcile.Request{NamespacedName: at})
	b.lock.Lock()
	defer b.lock.Unlock()
	b.result[at] = result
	return err
}

// ended is what Run has returned when the object was gone, and whether it was called then.
func (b *protocol) ended(name string) (called bool, err error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	err, called = b.ends[b.at(name)]
	return called, err
}

// probed is a server without anything behind it, and what came of one Run.
type probed struct {
	o               *metav1.PartialObjectMetadata
	cleaned, locked bool
	err             error
}

const probeKey = "example.com/probe"

// The objects that a Run is tried on.
func alive() *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{TypeMeta: processType,
		ObjectMeta: metav1.ObjectMeta{Name: "probe", UID: "probe", ResourceVersion: "7"}}
}

func going() *metav1.PartialObjectMetadata {
	o, now := alive(), metav1.Now()
	o.DeletionTimestamp, o.Finalizers = &now, []string{probeKey}
	return o
}

func absent() *metav1.PartialObjectMetadata { return nil }

func probe(object func() *metav1.PartialObjectMetadata) *probed {
	p := &probed{o: object()}
	p.err = (&finalizer.Protocol{API: p, World: p, Key: probeKey}).
		Run(context.Background(), types.NamespacedName{Name: "probe"})
	return p
}

// Get implements finalizer.API.
func (p *probed) Get(_ context.Context, at types.NamespacedName) (*metav1.PartialObjectMetadata, error) {
	if p.o == nil {
		return nil, apierrors.NewNotFound(v1alpha1.GroupVersion.WithResource("processes").GroupResource(), at.Name)
	}
	return p.o.DeepCopy(), nil
}

// Patch implements finalizer.API.
func (p *probed) Patch(_ context.Context, _ types.NamespacedName, patch []byte) error {
	var body struct{ Metadata metav1.ObjectMeta }
	err := json.Unmarshal(patch, &body)
	p.locked = body.Metadata.ResourceVersion == p.o.ResourceVersion
	return err
}

// Make implements finalizer.World.
func (p *probed) Make(context.Context, *metav1.PartialObjectMetadata) error { return nil }

// Clean implements finalizer.World.
func (p *probed) Clean(context.Context, *metav1.PartialObjectMetadata) (done bool, err error) {
	p.cleaned = true
	return true, nil
}
