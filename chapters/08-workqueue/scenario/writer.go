package scenario

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// Writer writes the run's ConfigMaps, and knows the version of each write.
type Writer struct {
	aloud, quiet kubernetes.Interface
	namespace    string

	lock     sync.Mutex // guards versions
	versions map[string]string
}

// NewWriter makes a writer of what is there.
func NewWriter(l *lab.Lab) (*Writer, error) {
	aloud, err := Aloud(l)
	if err != nil {
		return nil, err
	}
	quiet, err := Quiet(l)
	return &Writer{aloud: aloud, quiet: quiet, namespace: l.Namespace, versions: map[string]string{}}, err
}

// Clear deletes all objects, without a word.
func (w *Writer) Clear(ctx context.Context) error {
	own := metav1.ListOptions{FieldSelector: lab.OwnConfigMaps}
	return w.quiet.CoreV1().ConfigMaps(w.namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, own)
}

// Create makes objects, without a word.
func (w *Writer) Create(ctx context.Context, names ...string) error {
	for _, name := range names {
		if err := w.create(ctx, w.quiet, name); err != nil {
			return err
		}
	}
	return nil
}

// CreateAloud makes an object, and shows the request.
func (w *Writer) CreateAloud(ctx context.Context, name string) error {
	return w.create(ctx, w.aloud, name)
}

func (w *Writer) create(ctx context.Context, over kubernetes.Interface, name string) error {
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
	made, err := over.CoreV1().ConfigMaps(w.namespace).Create(ctx, object, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	w.wrote(made)
	return nil
}

// Set gives an object a field of data, and shows the request.
func (w *Writer) Set(ctx context.Context, name, field string, value any) error {
	return w.patch(ctx, w.aloud, name, field, value)
}

// SetQuietly is Set, without a word.
func (w *Writer) SetQuietly(ctx context.Context, name, field string, value any) error {
	return w.patch(ctx, w.quiet, name, field, value)
}

func (w *Writer) patch(ctx context.Context, over kubernetes.Interface, name, field string, value any) error {
	patch := fmt.Appendf(nil, `{"data":{%q:"%v"}}`, field, value)
	made, err := over.CoreV1().ConfigMaps(w.namespace).
		Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		return err
	}
	w.wrote(made)
	return nil
}

// Flood updates objects until each has had so many updates, all at the same time and each as fast as the server
// answers, but begins no update when limit is over. had is how many each has had, and is kept up to date.
func (w *Writer) Flood(ctx context.Context, names []string, had []int, each int, limit time.Duration) error {
	end := time.Now().Add(limit)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(func() {
			for had[i] < each && time.Now().Before(end) {
				if err := w.SetQuietly(ctx, name, "write", had[i]+1); err != nil {
					cancel(err)
					return
				}
				had[i]++
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

func (w *Writer) wrote(object *corev1.ConfigMap) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.versions[object.Name] = object.ResourceVersion
}

// Version is that of an object's last write.
func (w *Writer) Version(name string) string {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.versions[name]
}
