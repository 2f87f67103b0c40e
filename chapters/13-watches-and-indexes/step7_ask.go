package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// length is how many objects a list has.
func length(list client.ObjectList) (int, error) {
	all, err := meta.ExtractList(list)
	return len(all), err
}

// question is one way to ask whether there is a ConfigMap.
type question struct {
	name string
	by   client.Reader
	list client.ObjectList
}

// ask is step 7: whether there is a ConfigMap in a namespace, and what the answer leaves behind.
func (t *tour) ask(ctx context.Context, l *lab.Lab) error {
	over, err := somebody(ctx, l)
	if err != nil {
		return err
	}
	if err := over.Create(ctx, scenario.ConfigMap(l.Namespace, "asked-for", "soup")); err != nil {
		return err
	}
	cost := &scenario.Cost{}
	m, err := managed(l, func(o *manager.Options) {
		everywhere(o)
		o.Client.Cache = &client.CacheOptions{Unstructured: true} // or nested maps are always asked for
	}, cost.Between(func(r *http.Request) { l.Request(r) }))
	if err != nil {
		return err
	}
	started := running.Run(ctx, m.Start)
	defer func() { _ = started.Stop() }()
	if err := answers(ctx, m); err != nil {
		return err
	}
	kind := corev1.SchemeGroupVersion.WithKind("ConfigMap")
	maps, metadata := &unstructured.Unstructured{}, &metav1.PartialObjectMetadata{}
	maps.SetGroupVersionKind(kind)
	metadata.SetGroupVersionKind(kind)
	rows := [][]string{{"", "requests", "of these watches", "it has", "the cache has then"}}
	for _, q := range []question{
		{"APIReader", m.GetAPIReader(), &corev1.ConfigMapList{}},
		{"client, Go structs", m.GetClient(), &corev1.ConfigMapList{}},
		{"client, metadata alone", m.GetClient(), listOf(metadata)},
		{"client, nested maps (told to)", m.GetClient(), listOf(maps)},
		{"client, Go structs again", m.GetClient(), &corev1.ConfigMapList{}},
	} {
		l.Say("%s:", q.name)
		row, err := q.answered(ctx, l, m, cost)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	l.Table(rows...)
	l.Conclude("The manager's client answers from a cache, and makes one if there is none: of all namespaces, whatever the " +
		"question was, for as long as the manager runs, and for each form anew. What is asked once is asked of the API " +
		"server.")
	return started.Stop()
}

// answered asks for one object, and is what that took.
func (q question) answered(ctx context.Context, l *lab.Lab, m manager.Manager, cost *scenario.Cost) ([]string, error) {
	requests, watches := cost.Requests()
	if err := q.by.List(ctx, q.list, client.InNamespace(l.Namespace), client.Limit(1)); err != nil {
		return nil, err
	}
	n, err := length(q.list)
	if err != nil {
		return nil, err
	}
	r, w := cost.Requests()
	kept := "nothing"
	if strings.HasPrefix(q.name, "client") {
		if err := m.GetCache().List(ctx, q.list); err != nil {
			return nil, err
		}
		all, err := length(q.list)
		if err != nil {
			return nil, err
		}
		kept = fmt.Sprintf("%d, of all namespaces", all)
	}
	return []string{q.name, fmt.Sprint(r - requests), fmt.Sprint(w - watches), fmt.Sprint(n), kept}, nil
}
