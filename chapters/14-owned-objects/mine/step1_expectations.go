package main

import (
	"context"
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	held "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/install"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	kinds "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	writing "github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// What step 1 has.
const (
	wanted = 3 // Processes
	edits  = 5 // of the set, while the watch is held
)

// expectations is step 1: a set whose controller sees no Process for a while.
func (r run) expectations(ctx context.Context, l *lab.Lab) (err error) {
	installer, err := dynamic.NewForConfigAndClient(kinds.Config(l), l.HTTPClient())
	if err != nil {
		return err
	}
	if err := install.CRDs(ctx, installer); err != nil {
		return err
	}
	over, err := client.New(kinds.Config(l), client.Options{HTTPClient: l.HTTPClient(), Scheme: writing.Known()})
	if err != nil {
		return err
	}
	var hold *held.Hold
	m, err := manager.New(running.Access(l, func(next http.RoundTripper) http.RoundTripper {
		hold = held.HoldAtUpdate(next, "processes") // which is that of the status, in the first run
		return hold
	}), manager.Options{
		Scheme: writing.Known(), Metrics: server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: ptr.To(true)},
		Cache: cache.Options{NewInformer: running.Drained(nil),
			DefaultNamespaces: map[string]cache.Config{l.Namespace: {}}},
	})
	if err != nil {
		return err
	}
	s := &sets{}
	if err := s.watch(m); err != nil {
		return err
	}
	if missing := s.memory.missing(); missing != "" {
		l.Say("%s", missing)
	}
	till := tillSet(l)
	defer func() { clearTill(context.WithoutCancel(ctx), over, till) }() // after the controller has stopped
	started := running.Run(ctx, m.Start)
	defer func() { _ = started.Stop() }()
	defer hold.Release()
	if err := r.edited(ctx, l, s, over, till); err != nil {
		return err
	}
	hold.Release()
	if err := r.caughtUp(ctx, l, s); err != nil {
		return err
	}
	l.Conclude("While an event was missing the cache was not believed. Without your Expectations each of those runs would have " +
		"made what it did not see.")
	return nil
}

func tillSet(l *lab.Lab) *v1alpha1.ProcessSet {
	labels := map[string]string{"app": "till"}
	return &v1alpha1.ProcessSet{ObjectMeta: metav1.ObjectMeta{Namespace: l.Namespace, Name: "till"},
		Spec: v1alpha1.ProcessSetSpec{Replicas: ptr.To[int32](wanted), Selector: labels,
			Template: v1alpha1.ProcessTemplate{Labels: labels, Spec: v1alpha1.ProcessSpec{Command: "sleep"}}}}
}

// edited has the set created and edited while the watch is held, and a run after each.
func (r run) edited(ctx context.Context, l *lab.Lab, s *sets, over client.Client, till *v1alpha1.ProcessSet) error {
	ctx, cancel := context.WithTimeout(ctx, r.patience)
	defer cancel()
	if err := over.Create(ctx, till); err != nil {
		return err
	}
	for n := range edits + 1 {
		before := s.count()
		if n > 0 {
			body := fmt.Sprintf(`{"metadata":{"annotations":{"example.com/edit":"%d"}}}`, n)
			edit := client.RawPatch(types.MergePatchType, []byte(body))
			if err := over.Patch(ctx, till.DeepCopy(), edit); err != nil {
				return err
			}
		}
		err := held.Until(ctx, func() bool { now := s.count(); return now.runs > before.runs && now.made >= wanted-1 })
		if err != nil {
			return wrong("14.1", "%d Processes are made and not %d, though nothing is expected of a new set", s.count().made,
				wanted-1)
		}
	}
	now := s.count()
	if now.made != wanted-1 {
		return wrong("14.1", "%d Processes are made and not %d: the cache shows none, and more were made", now.made, wanted-1)
	}
	l.Became("the watch is held: %d made, %d in the cache, and %d of %d runs did nothing", now.made, now.shown, now.nothing,
		now.runs)
	return nil
}

// caughtUp waits until the watch has told all, and the Process is made whose request has failed.
func (r run) caughtUp(ctx context.Context, l *lab.Lab, s *sets) error {
	ctx, cancel := context.WithTimeout(ctx, r.patience)
	defer cancel()
	if err := held.Until(ctx, func() bool { return s.count().shown == wanted }); err != nil {
		return wrong("14.1", "%d Processes are made and not %d, and Satisfied is %t, though the watch has shown them",
			s.count().made, wanted, s.memory.satisfied(l.Namespace+"/till"))
	}
	now := s.count()
	if now.made != wanted {
		return wrong("14.1", "%d Processes are made and not %d", now.made, wanted)
	}
	l.Became("the watch goes on: %d made, with one for the request that failed, and %d in the cache", now.made, now.shown)
	return nil
}

// clearTill deletes what the step has made. What is left goes with the namespace.
func clearTill(ctx context.Context, over client.Client, till *v1alpha1.ProcessSet) {
	_ = over.Delete(ctx, till)
	_ = over.DeleteAllOf(ctx, &v1alpha1.Process{}, client.InNamespace(till.Namespace),
		client.MatchingLabels(till.Spec.Selector))
}
