package scenario

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// Probe is an object whose owner has never been. The garbage collector deletes it as soon as it knows its kind, and has
// heard of all that was made before it.
type Probe struct {
	over client.WithWatch
	is   client.Object
	all  client.ObjectList
}

// Probes makes one of each of the book's kinds. The garbage collector looks for new kinds each half minute; until it
// knows one, it deletes nothing of it.
func (w *World) Probes(ctx context.Context) (all []*Probe, err error) {
	set := w.Set("", 0, "sleep")
	for _, p := range []*Probe{{w.User, set, &v1alpha1.ProcessSetList{}},
		{w.User, &v1alpha1.Process{Spec: set.Spec.Template.Spec}, &v1alpha1.ProcessList{}}} {
		if err := p.create(ctx, w.Lab.Namespace); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// CollectorSees waits until the garbage collector has heard of every ConfigMap that there is. It knows the kind.
func (w *World) CollectorSees(ctx context.Context) error {
	p := &Probe{w.User, &corev1.ConfigMap{}, &corev1.ConfigMapList{}}
	if err := p.create(ctx, w.Lab.Namespace); err != nil {
		return err
	}
	return p.Gone(ctx)
}

func (p *Probe) create(ctx context.Context, namespace string) error {
	p.is.SetNamespace(namespace)
	p.is.SetName("probe-" + lab.Suffix())
	p.is.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "absent",
		UID: uuid.NewUUID()}})
	return p.over.Create(ctx, p.is)
}

// Gone waits until it is deleted.
func (p *Probe) Gone(ctx context.Context) error {
	return Await(ctx, p.over, p.is, p.all, func(_ client.Object, gone bool) bool { return gone })
}

// Await waits until an object is so, or gone. Each version of it is seen.
func Await(ctx context.Context, over client.WithWatch, o client.Object, kind client.ObjectList,
	so func(now client.Object, gone bool) bool) error {
	events, err := over.Watch(ctx, kind, client.InNamespace(o.GetNamespace()),
		client.MatchingFields{"metadata.name": o.GetName()})
	if err != nil {
		return err
	}
	defer func() {
		events.Stop()
		for range events.ResultChan() { // its sender may be about to send
		}
	}()
	// A watch from nowhere begins with what is there. If nothing is, nothing comes.
	now, _ := o.DeepCopyObject().(client.Object)
	if err := over.Get(ctx, client.ObjectKeyFromObject(o), now); apierrors.IsNotFound(err) && so(o, true) {
		return nil
	}
	for e := range events.ResultChan() {
		if now, ok := e.Object.(client.Object); ok && so(now, e.Type == watch.Deleted) {
			return nil
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("the watch of %s has ended", o.GetName())
}
