package mirror

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// fieldManager is the name under which the API server notes what the controller has written.
const fieldManager = "mirror"

// client writes to the API server, and notes what it got for its writes.
type client struct {
	kubernetes.Interface
	written *Written
}

var _ Writer = client{}

// Create implements Writer.
func (c client) Create(ctx context.Context, object *corev1.ConfigMap) error {
	made, err := c.CoreV1().ConfigMaps(object.Namespace).Create(ctx, object,
		metav1.CreateOptions{FieldManager: fieldManager})
	return c.note(made, err)
}

// Update implements Writer.
func (c client) Update(ctx context.Context, object *corev1.ConfigMap) error {
	made, err := c.CoreV1().ConfigMaps(object.Namespace).Update(ctx, object,
		metav1.UpdateOptions{FieldManager: fieldManager})
	return c.note(made, err)
}

// Delete implements Writer. Nothing is noted: what is gone cannot be deleted twice.
func (c client) Delete(ctx context.Context, place Key, only metav1.Preconditions) error {
	return c.CoreV1().ConfigMaps(place.Namespace).Delete(ctx, place.Name, metav1.DeleteOptions{Preconditions: &only})
}

func (c client) note(made *corev1.ConfigMap, err error) error {
	if err == nil {
		c.written.Note(keyOf(made), made.ResourceVersion)
	}
	return err
}

// configMaps and namespaces are what the informers list and watch: what is in the group, and no more.
func (c client) configMaps(group string) cache.ListerWatcher {
	of := c.CoreV1().ConfigMaps(metav1.NamespaceAll)
	return c.source(group,
		func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) { return of.List(ctx, o) }, of.Watch)
}

func (c client) namespaces(group string) cache.ListerWatcher {
	of := c.CoreV1().Namespaces()
	return c.source(group,
		func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) { return of.List(ctx, o) }, of.Watch)
}

func (c client) source(group string, list func(context.Context, metav1.ListOptions) (runtime.Object, error),
	begin func(context.Context, metav1.ListOptions) (watch.Interface, error)) cache.ListerWatcher {
	selected := func(o metav1.ListOptions) metav1.ListOptions {
		o.LabelSelector = Group + "=" + group
		return o
	}
	return cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			return list(ctx, selected(o))
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return begin(ctx, selected(o))
		},
	}, c.Interface)
}
