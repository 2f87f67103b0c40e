package scenario

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// Writer changes the run's ConfigMaps, one at a time.
type Writer struct {
	// On is its client.
	On kubernetes.Interface
	// Saw, if it is set, has each write wait until a Reflector has passed it on.
	Saw *Feed
	// Err is that of the first write that failed. Those after it are left out.
	Err error

	ctx   context.Context
	lab   *lab.Lab
	wrote int
}

// NewWriter makes the objects that a step begins with. What was there before is deleted without a word.
func NewWriter(ctx context.Context, l *lab.Lab, names ...string) (*Writer, error) {
	on, err := Direct(l)
	if err != nil {
		return nil, err
	}
	all := l.Server.String() + "/api/v1/namespaces/" + l.Namespace + "/configmaps?fieldSelector=" +
		url.QueryEscape(lab.OwnConfigMaps)
	if _, err := lab.MustSendJSON(ctx, l.HTTPClient(), http.MethodDelete, all, nil); err != nil {
		return nil, err
	}
	w := &Writer{On: on, ctx: ctx, lab: l}
	for _, name := range names {
		w.Create(name)
	}
	return w, w.Err
}

// Create makes an object.
func (w *Writer) Create(name string) {
	w.write(func() error {
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
		_, err := w.On.CoreV1().ConfigMaps(w.lab.Namespace).Create(w.ctx, object, metav1.CreateOptions{})
		return err
	})
}

// Update gives an object the number of this write.
func (w *Writer) Update(name string) {
	w.write(func() error {
		patch := fmt.Appendf(nil, `{"data":{"write":"%d"}}`, w.wrote)
		_, err := w.On.CoreV1().ConfigMaps(w.lab.Namespace).
			Patch(w.ctx, name, types.MergePatchType, patch, metav1.PatchOptions{})
		return err
	})
}

// Delete deletes an object.
func (w *Writer) Delete(name string) {
	w.write(func() error {
		return w.On.CoreV1().ConfigMaps(w.lab.Namespace).Delete(w.ctx, name, metav1.DeleteOptions{})
	})
}

func (w *Writer) write(do func() error) {
	w.wrote++
	if w.Err == nil {
		w.Err = do()
	}
	if w.Err == nil && w.Saw != nil {
		w.Err = w.Saw.Await(w.ctx)
	}
}
