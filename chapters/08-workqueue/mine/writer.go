package main

import (
	"context"
	"fmt"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// writer changes the run's ConfigMaps.
type writer struct {
	on, aloud kubernetes.Interface // the requests of aloud show themselves
	namespace string
	wrote     int
	last      map[string]string // the version of each that was written last
}

// begin makes the first objects. What was there before is deleted.
func (w *writer) begin(ctx context.Context, names ...string) error {
	w.last = map[string]string{}
	own := metav1.ListOptions{FieldSelector: lab.OwnConfigMaps}
	err := w.on.CoreV1().ConfigMaps(w.namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, own)
	for _, name := range names {
		if err == nil {
			err = w.create(ctx, name)
		}
	}
	return err
}

func (w *writer) create(ctx context.Context, name string) error {
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
	return w.wroteOne(w.aloud.CoreV1().ConfigMaps(w.namespace).Create(ctx, object, metav1.CreateOptions{}))
}

// update gives an object the number of this write, and shows nothing.
func (w *writer) update(ctx context.Context, name string) error {
	w.wrote++
	patch := fmt.Appendf(nil, `{"data":{"write":"%d"}}`, w.wrote)
	return w.wroteOne(w.on.CoreV1().ConfigMaps(w.namespace).
		Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{}))
}

func (w *writer) wroteOne(object *corev1.ConfigMap, err error) error {
	if err == nil {
		w.last[object.Name] = object.ResourceVersion
	}
	return err
}

// source lists and watches the run's ConfigMaps.
func source(over kubernetes.Interface, namespace string) cache.ListerWatcher {
	own := func(o *metav1.ListOptions) { o.FieldSelector = lab.OwnConfigMaps }
	lw := cache.NewFilteredListWatchFromClient(over.CoreV1().RESTClient(), "configmaps", namespace, own)
	return cache.ToListWatcherWithWatchListSemantics(lw, over)
}

func clientset(host string, over *http.Client) (kubernetes.Interface, error) {
	config := &rest.Config{Host: host, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}
	return kubernetes.NewForConfigAndClient(config, over)
}
