package main

import (
	"context"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/install"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	mine "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/exercises/2-scheme"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/exercises/3-url"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/restmapper"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scheme"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// way is the way from a Go type to the API server, of the reader's pieces and the chapter's.
type way struct {
	lab    *lab.Lab
	kinds  func(object runtime.Object) ([]schema.GroupVersionKind, error)
	create func(kind schema.GroupVersionKind) (runtime.Object, error)
	path   func(kind schema.GroupVersionKind, namespace, name string) (string, error)
	asked  int // requests of the reader's Finder
}

// open makes the way, on a server that has the book's CRDs.
func (p pieces) open(ctx context.Context, l *lab.Lab) (*way, error) {
	client, err := dynamic.NewForConfigAndClient(&rest.Config{Host: l.Server.String(), QPS: -1}, l.HTTPClient())
	if err != nil {
		return nil, err
	}
	if err := install.CRDs(ctx, client); err != nil {
		return nil, err
	}
	w := &way{lab: l, path: chapters(l)}
	types := []runtime.Object{&v1alpha1.Process{}, &v1alpha1.ProcessList{}, &v1alpha1.ProcessSet{},
		&v1alpha1.ProcessSetList{}}
	if p.scheme {
		s := mine.New()
		s.AddKnownTypes(v1alpha1.GroupVersion, types...)
		w.kinds, w.create = s.ObjectKinds, s.New
	} else {
		s := scheme.New()
		s.AddKnownTypes(v1alpha1.GroupVersion, types...)
		w.create = s.New
		w.kinds = func(object runtime.Object) ([]schema.GroupVersionKind, error) {
			kinds, _, err := s.ObjectKinds(object)
			return kinds, err
		}
	}
	if p.finder {
		finder := url.New(&asking{ctx: ctx, way: w})
		w.path = func(kind schema.GroupVersionKind, namespace, name string) (string, error) {
			resource, err := finder.Find(kind)
			if err != nil {
				return "", err
			}
			return resource.URL(namespace, name)
		}
	}
	return w, nil
}

// chapters asks the chapter's mapper for paths.
func chapters(l *lab.Lab) func(kind schema.GroupVersionKind, namespace, name string) (string, error) {
	mapper := restmapper.New(l.HTTPClient(), l.Server.String())
	return func(kind schema.GroupVersionKind, namespace, name string) (string, error) {
		mapping, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
		if err != nil {
			return "", err
		}
		return restmapper.URL("", mapping, namespace, name)
	}
}

// asking is the API server, as the reader's Finder asks it.
type asking struct {
	ctx context.Context
	way *way
}

// tooMany requests of a Finder: the steps ask for ten kinds.
const tooMany = 50

// Get implements url.Server.
func (a *asking) Get(path string) ([]byte, error) {
	if a.way.asked++; a.way.asked > tooMany {
		panic(fmt.Sprintf("your Finder has sent %d requests, and goes on", tooMany))
	}
	client := a.way.lab.Aloud(a.way.lab.HTTPClient())
	code, body, err := lab.SendJSON(a.ctx, client, http.MethodGet, a.way.lab.Server.String()+path, nil)
	if err != nil {
		return nil, err
	}
	if code != http.StatusOK {
		return nil, apierrors.NewGenericServerResponse(code, "get", schema.GroupResource{}, "", string(body), 0, true)
	}
	return body, nil
}

// send sends a request that has to succeed.
func (w *way) send(ctx context.Context, method, path string, body any) ([]byte, error) {
	return lab.MustSendJSON(ctx, w.lab.HTTPClient(), method, w.lab.Server.String()+path, body)
}

// kind is the one kind of an object's type.
func (w *way) kind(object runtime.Object) (schema.GroupVersionKind, error) {
	kinds, err := w.kinds(object)
	if err != nil || len(kinds) != 1 {
		return schema.GroupVersionKind{}, fmt.Errorf("the Scheme should have one kind for %T, and says %v, %v\n%s", object, kinds,
			err, seeGrader("10.2"))
	}
	return kinds[0], nil
}
