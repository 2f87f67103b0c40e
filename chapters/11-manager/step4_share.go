package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	before "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// A sharer is a controller, and the form in which it sees its objects.
type sharer struct {
	name   string
	object client.Object
	as     []builder.ForOption
}

// The forms, as the record calls their informers.
const (
	asStructs  = "*v1.ConfigMap"
	asMaps     = "*unstructured.Unstructured of ConfigMap"
	asMetadata = "*v1.PartialObjectMetadata of ConfigMap"
)

// share is step 4: four controllers, and how many informers and watches they take.
func (t *tour) share(ctx context.Context, l *lab.Lab) error {
	world, err := before.NewWorld(ctx, l, nil)
	if err != nil {
		return err
	}
	if err := world.SourceQuietly(ctx, "shared", "soup"); err != nil {
		return err
	}
	record := opened.New()
	m, err := t.manager(l, record, nil, aboutSecrets(l))
	if err != nil {
		return err
	}
	if err := t.sharers(m, record); err != nil {
		return err
	}
	running := scenario.Run(ctx, m.Start)
	defer func() { _ = running.Stop() }()
	for _, name := range []string{"first", "second", "third", "fourth"} {
		if _, err := record.Await(ctx, happened(opened.Reconcilers, name, "returns")); err != nil {
			return err
		}
	}
	rows := [][]string{{"informer of", "its handlers", "the controllers"}}
	for _, form := range []struct{ name, who string }{{asStructs, "first, second"}, {asMaps, "third"},
		{asMetadata, "fourth"}} {
		rows = append(rows, []string{form.name,
			fmt.Sprint(count(record, happened(opened.Informers, form.name, "gets a handler"))), form.who})
	}
	l.Table(rows...)
	asked := count(record, func(e opened.Event) bool {
		_, ok := cutWatch(e.What)
		return ok && e.Part == opened.Requests
	})
	l.Became("watches: %d, for 4 controllers", asked)
	if err := reads(ctx, l, m, record); err != nil {
		return err
	}
	l.Conclude("An informer is shared by kind and form. A read by Go struct or metadata comes from the cache, and " +
		"begins a watch if there is none, of all namespaces. A read by nested maps is a GET unless the client is " +
		"told otherwise.")
	return nil
}

// sharers gives a manager four controllers of one kind, in three forms.
func (t *tour) sharers(m manager.Manager, record *opened.Record) error {
	maps := &unstructured.Unstructured{}
	maps.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ConfigMap"))
	for _, s := range []sharer{
		{"first", &corev1.ConfigMap{}, nil},
		{"second", &corev1.ConfigMap{}, nil},
		{"third", maps, nil},
		{"fourth", &corev1.ConfigMap{}, []builder.ForOption{builder.OnlyMetadata}},
	} {
		err := builder.ControllerManagedBy(m).Named(s.name).For(s.object, s.as...).
			WithOptions(controller.Options{NewQueue: record.NewQueue(t.parts.made().NewQueue)}).
			Complete(record.Reconciler(s.name, reconcile.Func(nothing)))
		if err != nil {
			return err
		}
	}
	return nil
}

// reads shows what each way to read sends.
func reads(ctx context.Context, l *lab.Lab, m manager.Manager, record *opened.Record) error {
	gvk := corev1.SchemeGroupVersion.WithKind("ConfigMap")
	maps, metadata := &unstructured.Unstructured{}, &metav1.PartialObjectMetadata{}
	maps.SetGroupVersionKind(gvk)
	metadata.SetGroupVersionKind(gvk)
	rows := [][]string{{"client.Get of", "requests"}}
	for _, r := range []struct {
		name string
		into client.Object
	}{
		{"a ConfigMap as a Go struct", &corev1.ConfigMap{}},
		{"its metadata alone", metadata},
		{"it as nested maps", maps},
	} {
		record.Restart()
		if err := m.GetClient().Get(ctx, client.ObjectKey{Namespace: l.Namespace, Name: "shared"}, r.into); err != nil {
			return err
		}
		sent := record.Lines(opened.Requests)
		if len(sent) == 0 {
			sent = []string{"none"}
		}
		rows = append(rows, []string{r.name, strings.Join(sent, ", ")})
	}
	l.Table(rows...)
	l.Say("And a Secret, of which there is no informer yet:")
	err := m.GetClient().Get(ctx, client.ObjectKey{Namespace: l.Namespace, Name: "none"}, &corev1.Secret{})
	if !apierrors.IsNotFound(err) {
		return fmt.Errorf("a Secret that is not there: %w", err)
	}
	l.WireWhole(err.Error())
	return nil
}

// aboutSecrets shows what is asked about Secrets.
func aboutSecrets(l *lab.Lab) scenario.Wrap {
	return func(next http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/secrets") {
				l.Request(r)
			}
			return next.RoundTrip(r)
		})
	}
}

// roundTrip is a transport of one function.
type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
