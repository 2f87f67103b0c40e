package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/install"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// definitions is the path of all CustomResourceDefinitions.
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

// Object is an object as JSON has it.
type Object = map[string]any

// Kind is a kind with the schema of Process, in a group of the run's own. So it can be missing, and it can change,
// while others use the real one. Its group comes after the real one's in the alphabet: kubectl takes the first group
// that has what is called processes.
type Kind struct {
	// GroupVersion is where it is served first.
	GroupVersion schema.GroupVersion
	// Resource is what its objects are under.
	Resource string

	lab        *lab.Lab
	name       string // as an object says it
	definition *unstructured.Unstructured
}

// NewKind makes a definition from that of Process, and sends nothing.
func NewKind(l *lab.Lab) (*Kind, error) {
	all, err := install.Definitions()
	if err != nil {
		return nil, err
	}
	process := slices.IndexFunc(all, func(crd *unstructured.Unstructured) bool {
		return strings.HasPrefix(crd.GetName(), "processes.")
	})
	if process < 0 {
		return nil, errors.New("the book has no CRD of Process")
	}
	k := &Kind{lab: l, definition: all[process], GroupVersion: schema.GroupVersion{
		Group: "trial." + l.Namespace + ".test", Version: "v1alpha1"}}
	k.definition.Object["spec"].(Object)["group"] = k.GroupVersion.Group
	k.Rename("processes", "Process")
	return k, nil
}

// Rename gives the kind other names, before it is installed: a group has each name once.
func (k *Kind) Rename(resource, kind string) {
	k.Resource, k.name = resource, kind
	k.definition.SetName(resource + "." + k.GroupVersion.Group)
	// No short name: "kubectl get proc" are the book's own.
	k.definition.Object["spec"].(Object)["names"] = Object{
		"plural": resource, "singular": strings.ToLower(kind), "kind": kind, "listKind": kind + "List"}
}

// Install sends the definition, and returns when the kind is served. It is deleted with the run's namespace, which is
// its owner, whatever ends the run.
func (k *Kind) Install(ctx context.Context, client *http.Client) error {
	url := k.lab.Server.String()
	namespace, err := lab.MustSendJSON(ctx, k.lab.HTTPClient(), http.MethodGet,
		url+"/api/v1/namespaces/"+k.lab.Namespace, nil)
	if err != nil {
		return err
	}
	var owner unstructured.Unstructured
	if err := json.Unmarshal(namespace, &owner.Object); err != nil {
		return err
	}
	k.definition.Object["metadata"] = Object{"name": k.definition.GetName(), "ownerReferences": []any{Object{
		"apiVersion": "v1", "kind": "Namespace", "name": owner.GetName(), "uid": string(owner.GetUID())}}}
	if _, err := lab.MustSendJSON(ctx, client, http.MethodPost, url+definitions, k.definition.Object); err != nil {
		return err
	}
	all, err := dynamic.NewForConfigAndClient(Config(k.lab), k.lab.HTTPClient())
	if err != nil {
		return err
	}
	return install.Served(ctx, all, k.GroupVersion.WithResource(k.Resource))
}

// Discovered returns when discovery names the kind. Another controller of the API server writes that, and on a busy
// machine later than the kind is served.
func (k *Kind) Discovered(ctx context.Context) error {
	url := k.lab.Server.String() + "/apis/" + k.GroupVersion.String()
	for {
		code, answer, err := lab.SendJSON(ctx, k.lab.HTTPClient(), http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		var list metav1.APIResourceList
		if code == http.StatusOK {
			if err := json.Unmarshal(answer, &list); err != nil {
				return fmt.Errorf("read what discovery has of %s: %w", k.GroupVersion, err)
			}
		}
		if slices.ContainsFunc(list.APIResources, func(r metav1.APIResource) bool { return r.Name == k.Resource }) {
			return nil
		}
		select {
		case <-time.After(20 * time.Millisecond): // nothing announces it
		case <-ctx.Done():
			return fmt.Errorf("wait until discovery names %s: %w", k.Resource, context.Cause(ctx))
		}
	}
}

// Remove deletes the definition, and with it all objects of the kind.
func (k *Kind) Remove(ctx context.Context) error {
	_, err := lab.MustSendJSON(ctx, k.lab.HTTPClient(), http.MethodDelete,
		k.lab.Server.String()+definitions+"/"+k.definition.GetName(), nil)
	return err
}

// URL is where the objects of the run's namespace are, or one of them.
func (k *Kind) URL(name string) string { return k.URLIn(k.GroupVersion.Version, name) }

// URLIn is [Kind.URL] in another version.
func (k *Kind) URLIn(version, name string) string {
	url := k.lab.Server.String() + "/apis/" + k.GroupVersion.Group + "/" + version +
		"/namespaces/" + k.lab.Namespace + "/" + k.Resource
	if name != "" {
		url += "/" + name
	}
	return url
}

// Make makes an object of the kind, as JSON.
func (k *Kind) Make(name string, spec Object) Object {
	return Object{"apiVersion": k.GroupVersion.String(), "kind": k.name,
		"metadata": Object{"name": name}, "spec": spec}
}

// Version is what the definition says of its only version, to be changed before it is sent.
func (k *Kind) Version() Object {
	return k.definition.Object["spec"].(Object)["versions"].([]any)[0].(Object)
}

// Fields are the schemas of the fields of spec in a version, to be changed.
func Fields(version Object) Object {
	root := version["schema"].(Object)["openAPIV3Schema"].(Object)
	return root["properties"].(Object)["spec"].(Object)["properties"].(Object)
}

// AddVersion adds a version that is a copy of the first, changed. It is served and not stored.
func (k *Kind) AddVersion(name string, change func(fields Object)) error {
	raw, err := json.Marshal(k.Version())
	if err != nil {
		return err
	}
	var added Object
	if err := json.Unmarshal(raw, &added); err != nil {
		return err
	}
	added["name"], added["storage"] = name, false
	change(Fields(added))
	spec := k.definition.Object["spec"].(Object)
	spec["versions"] = append(spec["versions"].([]any), added)
	return nil
}

// Store has the objects stored in a version.
func (k *Kind) Store(name string) error {
	found := false
	for _, v := range k.definition.Object["spec"].(Object)["versions"].([]any) {
		version := v.(Object)
		version["storage"] = version["name"] == name
		found = found || version["name"] == name
	}
	if !found {
		return fmt.Errorf("%s has no version %s", k.definition.GetName(), name)
	}
	return nil
}

// Change sends what the definition's versions have become. Nothing says when it is in effect: that is for Await.
func (k *Kind) Change(ctx context.Context) error {
	_, err := lab.MustSendJSON(ctx, k.lab.HTTPClient(), http.MethodPatch,
		k.lab.Server.String()+definitions+"/"+k.definition.GetName(),
		Object{"spec": Object{"versions": k.definition.Object["spec"].(Object)["versions"]}})
	return err
}

// Await asks until the answer is yes.
func (k *Kind) Await(ctx context.Context, yes func(context.Context) (bool, error)) error {
	for {
		ok, err := yes(ctx)
		if ok || err != nil {
			return err
		}
		select {
		case <-time.After(20 * time.Millisecond): // nothing announces what a definition changes
		case <-ctx.Done():
			return fmt.Errorf("waiting for %s: %w", k.definition.GetName(), context.Cause(ctx))
		}
	}
}
