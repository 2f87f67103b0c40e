package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	upstreammapper "k8s.io/client-go/restmapper"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/restmapper"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scheme"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// namedMapper is a mapper, and what it answers: before the CRD is there, afterwards, and after a Reset.
type namedMapper struct {
	name    string
	mapper  meta.RESTMapper
	answers []string
}

// ask asks for a kind.
func (m *namedMapper) ask(kind schema.GroupVersionKind) {
	m.answers = append(m.answers, found(m.mapper, kind))
}

// tooEarly is -fault too-early: who asks again learns.
func tooEarly(ctx context.Context, l *lab.Lab) error {
	own, err := scenario.NewKind(l)
	if err != nil {
		return err
	}
	kind := own.GroupVersion.WithKind("Process")
	mappers, err := threeMappers(l)
	if err != nil {
		return err
	}
	for _, m := range mappers {
		m.ask(kind)
	}
	_, err = mappers[0].mapper.RESTMapping(kind.GroupKind(), kind.Version)
	l.Wire("%v", err)
	if err := own.Install(ctx, l.HTTPClient()); err != nil {
		return err
	}
	if err := own.Discovered(ctx); err != nil {
		return err
	}
	l.Became("the CRD is installed, and the kind is served")
	rows := [][]string{{"mapper", "before", "now", "after Reset"}}
	for _, m := range mappers {
		m.ask(kind)
		if resettable, ok := m.mapper.(meta.ResettableRESTMapper); ok {
			resettable.Reset()
			m.ask(kind)
		} else {
			m.answers = append(m.answers, "no Reset")
		}
		rows = append(rows, append([]string{m.name}, m.answers...))
	}
	l.Table(rows...)
	l.Conclude("The first was made from all that there was, and says the same until the program is restarted. The second asked " +
		"when it was first used, and never again by itself. Ours asks again for each kind that it does not find, and has no Reset.")
	return own.Remove(ctx)
}

// threeMappers are one that is made from what there is, one that asks at its first use, and one that asks again.
func threeMappers(l *lab.Lab) ([]*namedMapper, error) {
	client, err := discovery.NewDiscoveryClientForConfigAndClient(scenario.Config(l), l.HTTPClient())
	if err != nil {
		return nil, err
	}
	groups, err := upstreammapper.GetAPIGroupResources(client)
	if err != nil {
		return nil, err
	}
	return []*namedMapper{
		{name: "client-go, eager", mapper: upstreammapper.NewDiscoveryRESTMapper(groups)},
		{name: "client-go, deferred",
			mapper: upstreammapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client))},
		{name: "ours", mapper: restmapper.New(l.HTTPClient(), l.Server.String())},
	}, nil
}

// found is what a mapper says of a kind.
func found(mapper meta.RESTMapper, kind schema.GroupVersionKind) string {
	mapping, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
	switch {
	case meta.IsNoMatchError(err):
		return "no match"
	case err != nil:
		return err.Error()
	}
	return mapping.Resource.Resource
}

// notRegistered is -fault not-registered: a Scheme knows what it was told.
func notRegistered(_ context.Context, l *lab.Lab) error {
	kind := v1alpha1.GroupVersion.WithKind("Process")
	ours, upstreams := scheme.New(), runtime.NewScheme()
	ask := func() {
		for _, s := range []struct {
			name  string
			kinds func(runtime.Object) ([]schema.GroupVersionKind, bool, error)
			make  func(schema.GroupVersionKind) (runtime.Object, error)
		}{{"ours", ours.ObjectKinds, ours.New}, {"upstream", upstreams.ObjectKinds, upstreams.New}} {
			l.Sent("%s: ObjectKinds(&v1alpha1.Process{}), New(%s)", s.name, kind.Kind)
			kinds, _, err := s.kinds(&v1alpha1.Process{})
			l.WireWhole(oneOf(fmt.Sprint(kinds), err))
			made, err := s.make(kind)
			l.WireWhole(oneOf(fmt.Sprintf("%T", made), err))
		}
	}
	ask()
	ours.AddKnownTypes(v1alpha1.GroupVersion, &v1alpha1.Process{})
	if err := v1alpha1.AddToScheme(upstreams); err != nil {
		return err
	}
	l.Became("both have been told of Process")
	ask()
	l.Conclude("The error comes at the first use, not when the program begins, and no request was sent. Call AddToScheme " +
		"for each group that a client is to read or write with types.")
	return nil
}

// oneOf is a value, or the error in its place.
func oneOf(value string, err error) string {
	if err != nil {
		return err.Error()
	}
	return value
}

// typo is -fault typo: nobody says a word.
func typo(ctx context.Context, l *lab.Lab) error {
	if err := installBook(ctx, l); err != nil {
		return err
	}
	o := booked("Process", "web", object{"command": "sleep", "gracePeriodSecond": 60})
	made, err := sendAloud(ctx, l, http.MethodPost, book(l, "processes"), o)
	if err != nil {
		return err
	}
	l.Wire("%s", made)
	l.Wire("spec: %s", made.Field("spec"))
	l.Wire("Warning: %s", made.Warning())
	l.Conclude("The server drops the field and puts the default into the one that was meant. The warning is in a header: " +
		"client-go logs it, and a program goes on. With fieldValidation=Strict it would be a 400.")
	return nil
}

// careless is a ProcessSet's spec whose zero can't be written.
type careless struct {
	Replicas int32                    `json:"replicas,omitempty"`
	Selector map[string]string        `json:"selector"`
	Template v1alpha1.ProcessTemplate `json:"template"`
}

// zero is -fault zero: a zero that is never sent.
func zero(ctx context.Context, l *lab.Lab) error {
	if err := installBook(ctx, l); err != nil {
		return err
	}
	labels := map[string]string{"app": "web"}
	template := v1alpha1.ProcessTemplate{Labels: labels, Spec: v1alpha1.ProcessSpec{Command: "sleep"}}
	none := int32(0)
	rows := [][]string{{"replicas in the Go type", "in the request", "stored"}}
	for _, program := range []struct {
		name, goType string
		spec         any
	}{
		{"int32", "int32, omitempty", careless{Selector: labels, Template: template}},
		{"pointer", "*int32, omitempty",
			v1alpha1.ProcessSetSpec{Replicas: &none, Selector: labels, Template: template}},
	} {
		raw, err := json.Marshal(program.spec)
		if err != nil {
			return err
		}
		var spec object
		if err := json.Unmarshal(raw, &spec); err != nil {
			return err
		}
		made, err := sendAloud(ctx, l, http.MethodPost, book(l, "processsets"),
			booked("ProcessSet", program.name, spec))
		if err != nil {
			return err
		}
		if !made.OK() {
			return fmt.Errorf("the set %s: %s", program.name, strings.Join(made.Refusal(), "; "))
		}
		sent := "nothing"
		if _, there := spec["replicas"]; there {
			sent = scenario.JSON(spec["replicas"])
		}
		rows = append(rows, []string{program.goType, sent, made.Field("spec", "replicas")})
	}
	l.Table(rows...)
	l.Conclude("omitempty leaves a zero out, and what is left out gets the default, 1. Through a pointer nil is left out, " +
		"and 0 is a value. A field with a default, of which zero means something, is a pointer.")
	return nil
}

// noSubresource is -fault no-subresource: one URL for all, or two.
func noSubresource(ctx context.Context, l *lab.Lab) error {
	rows := [][]string{{"", "PUT, with a status", "generation", "PUT .../status"}}
	for _, with := range []bool{true, false} {
		row, err := writeStatus(ctx, l, with)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	l.Table(rows...)
	l.Conclude("Without the subresource a client that writes what it has read overwrites a status that it never meant, and " +
		"generation counts changes of status, too. A controller that calls UpdateStatus gets a 404 for an object that is there.")
	return nil
}

// writeStatus writes a status through both URLs of a kind that has the subresource, or has not.
func writeStatus(ctx context.Context, l *lab.Lab, with bool) (row []string, err error) {
	own, err := scenario.NewKind(l)
	if err != nil {
		return nil, err
	}
	name := "with the subresource"
	if !with {
		name = "without it"
		own.Rename("bareprocesses", "BareProcess")
		delete(own.Version(), "subresources")
	}
	if err := own.Install(ctx, l.HTTPClient()); err != nil {
		return nil, err
	}
	made, err := send(ctx, l, http.MethodPost, own.URL(""), own.Make("web", object{"command": "sleep"}))
	if err != nil {
		return nil, err
	}
	o := made.Object().Object
	o["status"] = object{"phase": "Running"}
	put, err := send(ctx, l, http.MethodPut, own.URL("web"), o)
	if err != nil {
		return nil, err
	}
	kept := "the status is dropped"
	if put.Field("status", "phase") != "" {
		kept = "the status is written"
	}
	o["metadata"] = put.Object().Object["metadata"]
	l.Sent("PUT .../%s/web/status", own.Resource)
	status, err := send(ctx, l, http.MethodPut, own.URL("web")+"/status", o)
	if err != nil {
		return nil, err
	}
	refusedOr(l, status)
	generation := made.Field("metadata", "generation") + ", then " + put.Field("metadata", "generation")
	return []string{name, kept, generation, status.String()}, own.Remove(ctx)
}
