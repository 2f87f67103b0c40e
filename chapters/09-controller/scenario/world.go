package scenario

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// World is the namespaces of a run. home is the run's own, and has the sources; the others stand beside it.
type World struct {
	// Group is the value of the label of all that takes part.
	Group string

	lab          *lab.Lab
	aloud, quiet kubernetes.Interface
}

// NewWorld makes namespaces beside the run's own. Those that ask for mirrors are labelled.
func NewWorld(ctx context.Context, l *lab.Lab, asking []string, others ...string) (*World, error) {
	w := &World{Group: l.Namespace, lab: l}
	var err error
	if w.aloud, err = w.Client(l.Aloud(l.HTTPClient())); err != nil {
		return nil, err
	}
	if w.quiet, err = w.Client(l.HTTPClient()); err != nil {
		return nil, err
	}
	for _, name := range asking {
		if _, err := l.Beside(ctx, name, map[string]string{mirror.Group: w.Group}); err != nil {
			return nil, err
		}
	}
	for _, name := range others {
		if _, err := l.Beside(ctx, name, nil); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// Client is client-go's client of the run's API server over an HTTP client.
func (w *World) Client(over *http.Client) (kubernetes.Interface, error) {
	config := &rest.Config{Host: w.lab.Server.String(), QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}
	return kubernetes.NewForConfigAndClient(config, over)
}

// Namespace is the full name of one that the demo calls home, north and so on.
func (w *World) Namespace(short string) string {
	if short == home {
		return w.Group
	}
	return w.Group + "-" + short
}

const home = "home"

// short is what the demo calls a namespace.
func (w *World) short(namespace string) string {
	if namespace == w.Group {
		return home
	}
	return strings.TrimPrefix(namespace, w.Group+"-")
}

// Create makes a ConfigMap with a role and a value, and shows the request. A role of "-" has it not even in the group.
func (w *World) Create(ctx context.Context, namespace, name, role, value string) error {
	return w.create(ctx, w.aloud, namespace, name, role, value)
}

// SourceQuietly is Source, without a word.
func (w *World) SourceQuietly(ctx context.Context, name, value string) error {
	return w.create(ctx, w.quiet, home, name, mirror.Source, value)
}

func (w *World) create(ctx context.Context, over kubernetes.Interface, namespace, name, role, value string) error {
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"today": value}}
	if role != "-" {
		object.Labels = map[string]string{mirror.Group: w.Group, mirror.Role: role}
	}
	_, err := over.CoreV1().ConfigMaps(w.Namespace(namespace)).Create(ctx, object, metav1.CreateOptions{})
	return err
}

// Source makes a source in home, and shows the request.
func (w *World) Source(ctx context.Context, name, value string) error {
	return w.Create(ctx, home, name, mirror.Source, value)
}

// Patch changes a ConfigMap by a merge patch, and shows the request.
func (w *World) Patch(ctx context.Context, namespace, name, patch string) error {
	return w.patch(ctx, w.aloud, namespace, name, patch)
}

// PatchQuietly is Patch, without a word.
func (w *World) PatchQuietly(ctx context.Context, namespace, name, patch string) error {
	return w.patch(ctx, w.quiet, namespace, name, patch)
}

func (w *World) patch(ctx context.Context, over kubernetes.Interface, namespace, name, patch string) error {
	_, err := over.CoreV1().ConfigMaps(w.Namespace(namespace)).Patch(ctx, name, types.MergePatchType, []byte(patch),
		metav1.PatchOptions{})
	return err
}

// Today is a patch that gives a ConfigMap another value.
func Today(value string) string { return fmt.Sprintf(`{"data":{"today":%q}}`, value) }

// Delete deletes a ConfigMap, and shows the request.
func (w *World) Delete(ctx context.Context, namespace, name string) error {
	return w.aloud.CoreV1().ConfigMaps(w.Namespace(namespace)).Delete(ctx, name, metav1.DeleteOptions{})
}

// Asks has a namespace ask for mirrors or not, and shows the request.
func (w *World) Asks(ctx context.Context, namespace string, asks bool) error {
	value := "null"
	if asks {
		value = fmt.Sprintf("%q", w.Group)
	}
	patch := fmt.Appendf(nil, `{"metadata":{"labels":{%q:%s}}}`, mirror.Group, value)
	_, err := w.aloud.CoreV1().Namespaces().Patch(ctx, w.Namespace(namespace), types.MergePatchType, patch,
		metav1.PatchOptions{})
	return err
}

// Touch changes a namespace in a way that nobody cares about, once for each reason.
func (w *World) Touch(ctx context.Context, namespace, reason string) error {
	_, err := w.quiet.CoreV1().Namespaces().Patch(ctx, w.Namespace(namespace), types.MergePatchType,
		fmt.Appendf(nil, `{"metadata":{"annotations":{"touched":%q}}}`, reason), metav1.PatchOptions{})
	return err
}

// Table shows what the API server has in these places, as in "north/menu".
func (w *World) Table(ctx context.Context, places ...string) error {
	rows := [][]string{{"", "what is there", "its data"}}
	for _, place := range places {
		namespace, name, _ := strings.Cut(place, "/")
		what, today := "nothing", ""
		all, err := w.quiet.CoreV1().ConfigMaps(w.Namespace(namespace)).List(ctx,
			metav1.ListOptions{FieldSelector: "metadata.name=" + name})
		if err != nil {
			return err
		}
		for _, object := range all.Items {
			what, today = w.what(&object), object.Data["today"]
		}
		rows = append(rows, []string{place, what, today})
	}
	w.lab.Table(rows...)
	return nil
}

func (w *World) what(object *corev1.ConfigMap) string {
	switch role := object.Labels[mirror.Role]; role {
	case mirror.Mirror:
		namespace, name, _ := strings.Cut(object.Annotations[mirror.Of], "/")
		return "a mirror of " + w.short(namespace) + "/" + name
	case mirror.Source:
		return "a source"
	}
	return "somebody's"
}

// Label is a label's value on a ConfigMap of the API server's.
func (w *World) Label(ctx context.Context, namespace, name, label string) (string, error) {
	object, err := w.quiet.CoreV1().ConfigMaps(w.Namespace(namespace)).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return "", err
	}
	return object.Labels[label], nil
}

// What is what stands in a place, and its data, as in "a mirror of home/menu: soup".
func (w *World) What(ctx context.Context, place string) (string, error) {
	namespace, name, _ := strings.Cut(place, "/")
	object, err := w.quiet.CoreV1().ConfigMaps(w.Namespace(namespace)).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return "nothing", nil
	}
	if err != nil {
		return "", err
	}
	return w.what(object) + ": " + object.Data["today"], nil
}
