package main

import (
	"context"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/restmapper"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scheme"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// url is step 1: a type becomes a kind, a kind a resource, and a resource a URL.
func (t *tour) url(ctx context.Context, l *lab.Lab) (err error) {
	if t.own, err = scenario.NewKind(l); err != nil {
		return err
	}
	before, err := sendAloud(ctx, l, http.MethodGet, t.own.URL(""), nil)
	if err != nil {
		return err
	}
	l.Wire("%s", before)
	start := time.Now()
	if err := t.own.Install(ctx, l.Aloud(l.HTTPClient())); err != nil {
		return err
	}
	l.Became("the kind is served after %s", time.Since(start).Round(time.Millisecond))
	if err := t.own.Discovered(ctx); err != nil {
		return err
	}
	s := scheme.New()
	s.AddKnownTypes(t.own.GroupVersion, &v1alpha1.Process{}, &v1alpha1.ProcessList{})
	discovery, asks := scenario.NewCounter(l.Aloud(l.HTTPClient()))
	way := &way{lab: l, scheme: s, mapper: restmapper.New(asks, l.Server.String()), show: true}
	first := &v1alpha1.Process{Spec: v1alpha1.ProcessSpec{Command: "sleep"}}
	first.Name = "web"
	if err := way.create(ctx, first); err != nil {
		return err
	}
	cost := discovery.Requests()
	second := first.DeepCopy()
	second.Name = "worker"
	way.show = false
	if err := way.create(ctx, second); err != nil {
		return err
	}
	l.Became("discovery requests: %d for the first Process, %d for the second", cost, discovery.Requests()-cost)
	l.Conclude("The type says nothing of group, kind or URL. The Scheme has the kind by the type, and the API server " +
		"alone knows the resource and its scope. A Process is then created like any built-in object.")
	return nil
}

// way is the way of an object from its Go type to the API server.
type way struct {
	lab    *lab.Lab
	scheme *scheme.Scheme
	mapper *restmapper.Mapper
	show   bool // each station
}

// create sends an object to where its type belongs.
func (w *way) create(ctx context.Context, object runtime.Object) error {
	kinds, _, err := w.scheme.ObjectKinds(object)
	if err != nil {
		return err
	}
	kind := kinds[0]
	w.say("Scheme:     %T is the kind %s of %s", object, kind.Kind, kind.GroupVersion())
	mapping, err := w.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return err
	}
	w.say("RESTMapper: its resource is %s, its scope %s", mapping.Resource.Resource, mapping.Scope.Name())
	url, err := restmapper.URL(w.lab.Server.String(), mapping, w.lab.Namespace, "")
	if err != nil {
		return err
	}
	object.GetObjectKind().SetGroupVersionKind(kind)
	answer, err := sendAloud(ctx, w.lab, http.MethodPost, url, object)
	if err != nil {
		return err
	}
	refusedOr(w.lab, answer)
	return nil
}

// say shows a station.
func (w *way) say(format string, args ...any) {
	if w.show {
		w.lab.Became(format, args...)
	}
}
