package managed

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
)

// writer writes with the manager's client, whose writes go to the API server, and notes what it got for them. What
// follows from a read that has failed it does not write.
type writer struct {
	over    client.Writer
	read    *reader
	written *mirror.Written // or nil
}

var _ mirror.Writer = writer{}

// Create implements mirror.Writer.
func (w writer) Create(ctx context.Context, object *corev1.ConfigMap) error {
	return w.write(object, func() error { return w.over.Create(ctx, object) })
}

// Update implements mirror.Writer.
func (w writer) Update(ctx context.Context, object *corev1.ConfigMap) error {
	return w.write(object, func() error { return w.over.Update(ctx, object) })
}

// Delete implements mirror.Writer. Nothing is noted: what is gone cannot be deleted twice.
func (w writer) Delete(ctx context.Context, place mirror.Key, only metav1.Preconditions) error {
	if w.read.failed != nil {
		return w.read.failed
	}
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: place.Namespace, Name: place.Name}}
	return w.over.Delete(ctx, object, client.Preconditions(only))
}

// write makes a write. A client puts what the API server has answered into the object.
func (w writer) write(object *corev1.ConfigMap, write func() error) error {
	if w.read.failed != nil {
		return w.read.failed
	}
	if err := write(); err != nil {
		return err
	}
	if w.written != nil {
		w.written.Note(mirror.Key{Namespace: object.Namespace, Name: object.Name}, object.ResourceVersion)
	}
	return nil
}
