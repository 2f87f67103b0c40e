package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// way creates a Process and reads it, and reads objects of other kinds.
func (p pieces) way(ctx context.Context, l *lab.Lab) error {
	w, err := p.open(ctx, l)
	if err != nil {
		return err
	}
	process := &v1alpha1.Process{Spec: v1alpha1.ProcessSpec{Command: "sleep", Args: []string{"60"}}}
	process.Name = "web"
	kind, err := w.kind(process)
	if err != nil {
		return err
	}
	l.Became("%T is the kind %s of %s", process, kind.Kind, kind.GroupVersion())
	process.SetGroupVersionKind(kind)
	path, err := w.where(kind, l.Namespace, "")
	if err != nil {
		return err
	}
	l.Sent("POST %s", path)
	if _, err := w.send(ctx, http.MethodPost, path, process); err != nil {
		return err
	}
	if err := w.read(ctx, kind, "web"); err != nil {
		return err
	}
	for _, other := range []struct {
		kind            schema.GroupVersionKind
		namespace, name string
	}{
		{v1alpha1.GroupVersion.WithKind("ProcessSet"), l.Namespace, ""},
		{schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}, l.Namespace, l.Namespace},
		{schema.GroupVersionKind{Version: "v1", Kind: "Endpoints"}, l.Namespace, ""},
		{schema.GroupVersionKind{Group: "networking.k8s.io", Version: "v1", Kind: "Ingress"}, l.Namespace, ""},
		{schema.GroupVersionKind{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "ClusterRole"},
			l.Namespace, "system:node"},
	} {
		path, err := w.where(other.kind, other.namespace, other.name)
		if err != nil {
			return err
		}
		l.Became("%s %s:", other.kind.GroupVersion(), other.kind.Kind)
		l.More("%s", path)
		if _, err := w.send(ctx, http.MethodGet, path, nil); err != nil {
			return err
		}
	}
	if _, err := w.path(v1alpha1.GroupVersion.WithKind("Frog"), l.Namespace, ""); !meta.IsNoMatchError(err) {
		return fmt.Errorf("nobody has a Frog, and the Finder says: %v\n%s", err, seeGrader("10.3"))
	}
	l.Became("%s Frog: no match", v1alpha1.GroupVersion)
	if err := w.late(ctx); err != nil {
		return err
	}
	if p.finder {
		l.Became("your Finder has sent %d requests", w.asked)
	}
	l.Conclude("Each kind has led to a path at which the API server has its objects, the kind that nobody has to none, and " +
		"the one that came later to its own as soon as it was there.")
	return nil
}

// late asks for a kind before its CRD is there, and afterwards.
func (w *way) late(ctx context.Context) error {
	own, err := scenario.NewKind(w.lab)
	if err != nil {
		return err
	}
	kind := own.GroupVersion.WithKind("Process")
	if _, err := w.path(kind, w.lab.Namespace, ""); !meta.IsNoMatchError(err) {
		return fmt.Errorf("%s is not served yet, and the Finder says: %v\n%s", own.GroupVersion, err, seeGrader("10.3"))
	}
	w.lab.Became("%s Process: no match, and then its CRD is installed", own.GroupVersion)
	if err := own.Install(ctx, w.lab.HTTPClient()); err != nil {
		return err
	}
	if err := own.Discovered(ctx); err != nil {
		return err
	}
	path, err := w.where(kind, w.lab.Namespace, "")
	if err != nil {
		return err
	}
	w.lab.Became("%s Process:", own.GroupVersion)
	w.lab.More("%s", path)
	return own.Remove(ctx)
}

// where is a path, which has to be the chapter's.
func (w *way) where(kind schema.GroupVersionKind, namespace, name string) (string, error) {
	right, err := chapters(w.lab)(kind, namespace, name)
	if err != nil {
		return "", err
	}
	path, err := w.path(kind, namespace, name)
	plain, _ := url.PathUnescape(path) // more may be escaped than has to be
	if expected, _ := url.PathUnescape(right); err != nil || plain != expected {
		return "", fmt.Errorf("the API server has it at %s\nthe Finder says: %s %v\n%s", right, path, err, seeGrader("10.3"))
	}
	return path, nil
}

// read gets an object and puts it into a new one, which the Scheme makes of what the answer says it is.
func (w *way) read(ctx context.Context, kind schema.GroupVersionKind, name string) error {
	path, err := w.where(kind, w.lab.Namespace, name)
	if err != nil {
		return err
	}
	w.lab.Sent("GET %s", path)
	body, err := w.send(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	var says struct{ APIVersion, Kind string }
	if err := json.Unmarshal(body, &says); err != nil {
		return err
	}
	object, err := w.create(schema.FromAPIVersionAndKind(says.APIVersion, says.Kind))
	if err != nil {
		return fmt.Errorf("the Scheme makes no %s: %w\n%s", says.Kind, err, seeGrader("10.2"))
	}
	process, ok := object.(*v1alpha1.Process)
	if !ok || process == nil || process.Name != "" {
		return fmt.Errorf("the Scheme should make an empty *v1alpha1.Process, and makes %#v\n%s", object, seeGrader("10.2"))
	}
	if err := json.Unmarshal(body, process); err != nil {
		return err
	}
	w.lab.Wire("a %s of %s: %s %v", says.Kind, says.APIVersion, process.Spec.Command, process.Spec.Args)
	return nil
}
