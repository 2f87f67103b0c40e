package main

import (
	"context"
	"fmt"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	typed "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// implementation makes reflectors.
type implementation struct {
	name string
	new  func(source cache.ListerWatcher, store cache.ReflectorStore) scenario.Reflector
}

func upstreams(source cache.ListerWatcher, store cache.ReflectorStore) scenario.Reflector {
	return cache.NewReflectorWithOptions(source, &corev1.ConfigMap{}, store, cache.ReflectorOptions{Name: "upstream"})
}

// both are this chapter's and client-go's.
var both = []implementation{{"ours", upstreams}, {"client-go", upstreams}}

// writer writes ConfigMaps as somebody else would, past all that goes wrong.
type writer struct{ typed.ConfigMapInterface }

// newWriter makes a writer whose requests show themselves, or not.
func newWriter(l *lab.Lab, aloud bool) (writer, error) {
	through := l.HTTPClient()
	if aloud {
		through = l.Aloud(through)
	}
	client, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: l.Server.String(), QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}, through)
	if err != nil {
		return writer{}, err
	}
	return writer{client.CoreV1().ConfigMaps(l.Namespace)}, nil
}

// create makes ConfigMaps of the shop.
func (w writer) create(ctx context.Context, names ...string) error {
	for _, name := range names {
		labels := map[string]string{scenario.Label: "ours"}
		if _, err := w.Create(ctx, configMap(name, labels), metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

func (w writer) delete(ctx context.Context, names ...string) error {
	for _, name := range names {
		if err := w.Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	return nil
}

func configMap(name string, labels map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
}

// aloud is a run whose requests, failures and store calls show themselves.
func aloud(l *lab.Lab, with implementation, m scenario.Mishap) scenario.Run {
	return scenario.Run{
		Cluster: l.Cluster, New: with.new, Mishap: m,
		Request: func(r *http.Request) { l.Request(r) },
		Fault:   func(text string) { l.Event("FAULT", "%s", text) },
		Told:    func(call string) { l.Became("%s", call) },
		Logged: func(message string, err any) {
			l.Event("LOG", "%s", message)
			if err != nil {
				for _, line := range lab.Wrap(fmt.Sprint(err), lab.Columns-len("LOG      ")) {
					l.Event("", "%s", line)
				}
			}
		},
	}
}

// filled says that the store had its first Replace.
func filled(s *scenario.Session) bool { return s.Calls("Replace") > 0 }

// has says that the store has an object.
func has(name string) func(*scenario.Session) bool {
	return func(s *scenario.Session) bool { return s.Store.Has(name) }
}

// asked says that the request after the failure was sent.
func asked(s *scenario.Session) bool {
	_, is := s.Next()
	return is
}
