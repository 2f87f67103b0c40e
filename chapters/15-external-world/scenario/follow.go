package scenario

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// Follow shows what there is to say of the namespace's Processes, until ctx ends: of each at first, then whenever that
// is something else, and that it is gone. No version is left out, unless the API server goes away meanwhile.
func (w *World) Follow(ctx context.Context, line func(*v1alpha1.Process) string, which ...client.ListOption) error {
	options := func(o metav1.ListOptions) []client.ListOption {
		return append(slices.Clone(which), client.InNamespace(w.Lab.Namespace), &client.ListOptions{Raw: &o})
	}
	source := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			var all v1alpha1.ProcessList
			err := w.User.List(ctx, &all, options(o)...)
			return &all, err
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return w.User.Watch(ctx, &v1alpha1.ProcessList{}, options(o)...)
		},
	}
	i := informer.New(source, &v1alpha1.Process{}, informer.Options{})
	_, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(o any) { w.Lab.Became("%s", line(o.(*v1alpha1.Process))) },
		UpdateFunc: func(before, after any) {
			if now := line(after.(*v1alpha1.Process)); now != line(before.(*v1alpha1.Process)) {
				w.Lab.Became("%s", now)
			}
		},
		DeleteFunc: func(o any) {
			if name, err := cache.DeletionHandlingObjectToName(o); err == nil { // what was listed has a name
				w.Lab.Became("%s is gone", name.Name)
			}
		},
	})
	if err == nil {
		i.RunWithContext(ctx)
	}
	return err
}
