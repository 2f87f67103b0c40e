package scenario

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// Writer changes the run's ConfigMaps, one at a time.
type Writer struct {
	// On is its client.
	On kubernetes.Interface
	// Seen, if it is set, has each write wait until its store has it.
	Seen *World
	// Err is that of the first write that failed. Those after it are left out.
	Err error

	ctx       context.Context
	namespace string
	wrote     int
}

// NewWriter makes the objects that a step begins with. What was there before is deleted without a word.
func NewWriter(ctx context.Context, l *lab.Lab, on kubernetes.Interface, names ...string) (*Writer, error) {
	quiet, err := Quiet(l)
	if err != nil {
		return nil, err
	}
	own := metav1.ListOptions{FieldSelector: lab.OwnConfigMaps}
	err = quiet.CoreV1().ConfigMaps(l.Namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, own)
	if err != nil {
		return nil, err
	}
	w := NewWriterOf(ctx, l, on)
	for _, name := range names {
		w.Create(name)
	}
	return w, w.Err
}

// NewWriterOf makes a writer of what is there.
func NewWriterOf(ctx context.Context, l *lab.Lab, on kubernetes.Interface) *Writer {
	return &Writer{On: on, ctx: ctx, namespace: l.Namespace}
}

// In has the writer's next writes end with another context.
func (w *Writer) In(ctx context.Context) *Writer {
	w.ctx = ctx
	return w
}

// Create makes an object.
func (w *Writer) Create(name string) {
	w.write(name, func() (*corev1.ConfigMap, error) {
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
		return w.On.CoreV1().ConfigMaps(w.namespace).Create(w.ctx, object, metav1.CreateOptions{})
	})
}

// Update gives an object the number of this write.
func (w *Writer) Update(name string) { w.Fill(name, 0) }

// Fill is Update, and makes the object so many bytes larger than that.
func (w *Writer) Fill(name string, bytes int) {
	w.write(name, func() (*corev1.ConfigMap, error) {
		patch := fmt.Appendf(nil, `{"data":{"write":"%d%s"}}`, w.wrote, strings.Repeat(".", bytes))
		return w.On.CoreV1().ConfigMaps(w.namespace).
			Patch(w.ctx, name, types.MergePatchType, patch, metav1.PatchOptions{})
	})
}

// Delete deletes an object.
func (w *Writer) Delete(name string) {
	w.write(name, func() (*corev1.ConfigMap, error) {
		return nil, w.On.CoreV1().ConfigMaps(w.namespace).Delete(w.ctx, name, metav1.DeleteOptions{})
	})
}

// write makes a write, and waits until it has been seen.
func (w *Writer) write(name string, do func() (*corev1.ConfigMap, error)) {
	w.wrote++
	if w.Err != nil {
		return
	}
	object, err := do()
	switch {
	case err != nil || w.Seen == nil:
		w.Err = err
	case object == nil:
		w.Err = Until(w.ctx, func() bool { return w.Seen.HasNot(cache.NewObjectName(w.namespace, name)) })
	default:
		w.Err = Until(w.ctx, func() bool { return w.Seen.Has(object) })
	}
}
