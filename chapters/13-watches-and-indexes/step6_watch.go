package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	held "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// form is one in which the same objects can be watched.
type form struct {
	name   string
	list   client.ObjectList
	by     cache.ByObject
	object client.Object
}

// forms are those of step 6.
func forms() []form {
	kind := v1alpha1.GroupVersion.WithKind("Process")
	metadata, maps := &metav1.PartialObjectMetadata{}, &unstructured.Unstructured{}
	metadata.SetGroupVersionKind(kind)
	maps.SetGroupVersionKind(kind)
	first := labels.SelectorFromSet(labels.Set{scenario.First: "yes"})
	p := &v1alpha1.Process{}
	return []form{
		{"Go structs", &v1alpha1.ProcessList{}, cache.ByObject{}, p},
		{"nested maps", listOf(maps), cache.ByObject{}, maps},
		{"metadata alone", listOf(metadata), cache.ByObject{}, metadata},
		{"Go structs, stripped", &v1alpha1.ProcessList{}, cache.ByObject{Transform: strip}, p},
		{"Go structs, one in ten", &v1alpha1.ProcessList{}, cache.ByObject{Label: first}, p},
	}
}

// listOf is an empty list of the form of an object.
func listOf(o client.Object) client.ObjectList {
	kind := o.GetObjectKind().GroupVersionKind()
	kind.Kind += "List"
	if _, ok := o.(*unstructured.Unstructured); ok {
		list := &unstructured.UnstructuredList{}
		list.SetGroupVersionKind(kind)
		return list
	}
	list := &metav1.PartialObjectMetadataList{}
	list.SetGroupVersionKind(kind)
	return list
}

// strip is a Transform: what it takes away is never in the cache, and came over the wire all the same.
func strip(item any) (any, error) {
	if p, ok := item.(*v1alpha1.Process); ok {
		p.ManagedFields, p.Spec.Env = nil, nil
	}
	return item, nil
}

// watch is step 6: what each form costs.
func (t *tour) watch(ctx context.Context, l *lab.Lab) error {
	over, err := somebody(ctx, l)
	if err != nil {
		return err
	}
	if err := t.makeMany(ctx, l, over); err != nil {
		return err
	}
	rows := [][]string{{fmt.Sprintf("%d Processes as", t.objects), "requests", "open", "objects", "bytes each",
		"heap each", "filled in", "of a change"}}
	for i, f := range forms() {
		row, err := f.cost(ctx, l, over, i)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		rows = append(rows, row)
	}
	l.Table(rows...)
	l.Conclude("A label has the API server send less, and metadata alone has it send less of each. A Transform is too late for " +
		"the wire, and spares the heap. Two forms of one kind are two watches and two copies.")
	return nil
}

// cost fills a cache, and is what that has taken, and what a change takes then.
func (f form) cost(ctx context.Context, l *lab.Lab, over client.Client, nth int) ([]string, error) {
	cost := &scenario.Cost{}
	f.by.Namespaces = map[string]cache.Config{l.Namespace: {}}
	all, err := cache.New(running.Access(l, cost.Between(nil)), cache.Options{Scheme: scenario.Known(),
		Mapper: over.RESTMapper(), NewInformer: running.Drained(nil),
		ByObject: map[client.Object]cache.ByObject{f.object: f.by}})
	if err != nil {
		return nil, err
	}
	started := running.Run(ctx, all.Start)
	defer func() { _ = started.Stop() }()
	empty, began := scenario.Heap(), time.Now()
	informer, err := all.GetInformer(ctx, f.object, cache.BlockUntilSynced(false)) // which looks ten times a second
	if err != nil {
		return nil, err
	}
	if err := held.Until(ctx, informer.HasSynced); err != nil {
		return nil, err
	}
	took, bytes := time.Since(began), cost.Bytes()
	heap := scenario.Heap() - empty
	if err := all.List(ctx, f.list, client.UnsafeDisableDeepCopy); err != nil {
		return nil, err
	}
	n, err := length(f.list)
	if err != nil || n == 0 {
		return nil, fmt.Errorf("%d objects: %w", n, err)
	}
	each, err := ofAChange(ctx, over, informer, cost, l.Namespace, nth)
	if err != nil {
		return nil, err
	}
	requests, watches := cost.Requests()
	row := []string{f.name, fmt.Sprint(requests), fmt.Sprint(watches), fmt.Sprint(n),
		fmt.Sprint(bytes / int64(n)), fmt.Sprint(heap / int64(n)), short(took), fmt.Sprint(each)}
	runtime.KeepAlive(all)
	return row, started.Stop()
}

// ofAChange is how many bytes come for a change, in the mean of those of ten Processes, of which one has the label.
func ofAChange(ctx context.Context, over client.Client, informer cache.Informer, cost *scenario.Cost, namespace string,
	nth int) (int64, error) {
	heard := make(chan struct{}, 1) // one change of the Process that all watch, and a resync after ten hours
	last := scenario.OneOfMany(namespace, 0).Name
	handler := toolscache.ResourceEventHandlerFuncs{UpdateFunc: func(_, o any) {
		if o, ok := o.(client.Object); ok && o.GetName() == last {
			heard <- struct{}{}
		}
	}}
	if _, err := informer.AddEventHandler(handler); err != nil {
		return 0, err
	}
	const changes = 10
	before := cost.Bytes()
	for i := changes - 1; i >= 0; i-- {
		p := scenario.OneOfMany(namespace, i)
		patch := fmt.Appendf(nil, `{"status":{"restarts":%d}}`, nth+1)
		if err := over.Status().Patch(ctx, p, client.RawPatch(types.MergePatchType, patch)); err != nil {
			return 0, err
		}
	}
	select {
	case <-heard:
		return (cost.Bytes() - before) / changes, nil
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}
