package install

import (
	"context"
	"fmt"
	"io/fs"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/yaml"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api"
)

// FieldManager is the name under which the CRDs are applied.
const FieldManager = "controllers-from-scratch"

// ServedWithin is how long a new kind may take to be served, on a busy machine.
const ServedWithin = time.Minute

// definitions is the resource of all CustomResourceDefinitions.
var definitions = schema.GroupVersionResource{
	Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// CRDs applies the CRDs of the book's kinds and returns when the API server serves lists and watches of each. Where
// they are there already it writes nothing, so that programs may call it side by side. They stay: deleting a CRD
// deletes all objects of its kind, whoever made them.
//
// Upstream's counterpart is sigs.k8s.io/controller-runtime/pkg/envtest.InstallCRDs, which waits for discovery and not
// for watches.
func CRDs(ctx context.Context, client dynamic.Interface) error {
	ctx, cancel := context.WithTimeoutCause(ctx, ServedWithin, fmt.Errorf("not served within %s", ServedWithin))
	defer cancel()
	all, err := Definitions()
	if err != nil {
		return err
	}
	for _, crd := range all {
		options := metav1.ApplyOptions{FieldManager: FieldManager, Force: true}
		if _, err := client.Resource(definitions).Apply(ctx, crd.GetName(), crd, options); err != nil {
			return fmt.Errorf("apply the CRD %s: %w", crd.GetName(), err)
		}
	}
	for _, crd := range all {
		for _, resource := range resources(crd) {
			if err := Served(ctx, client, resource); err != nil {
				return err
			}
		}
	}
	return nil
}

// Definitions reads the CRDs of the book's kinds.
func Definitions() ([]*unstructured.Unstructured, error) {
	files, err := fs.Glob(api.CRDs, "crds/*.yaml")
	if err != nil {
		return nil, err
	}
	var all []*unstructured.Unstructured
	for _, file := range files {
		content, err := api.CRDs.ReadFile(file)
		if err != nil {
			return nil, err
		}
		crd := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(content, &crd.Object); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, crd)
	}
	return all, nil
}

// resources lists what a CRD serves.
func resources(crd *unstructured.Unstructured) (all []schema.GroupVersionResource) {
	group, _, _ := unstructured.NestedString(crd.Object, "spec", "group")
	plural, _, _ := unstructured.NestedString(crd.Object, "spec", "names", "plural")
	versions, _, _ := unstructured.NestedSlice(crd.Object, "spec", "versions")
	for _, v := range versions {
		version, _ := v.(map[string]any)
		name, _ := version["name"].(string)
		if served, _ := version["served"].(bool); served {
			all = append(all, schema.GroupVersionResource{Group: group, Version: name, Resource: plural})
		}
	}
	return all
}

// Served returns when the API server serves lists and watches of a resource. The condition Established is true before
// that: the path is 404 for some milliseconds more, and then a watch is 429 until its cache is filled.
func Served(ctx context.Context, client dynamic.Interface, resource schema.GroupVersionResource) error {
	for {
		err := watchable(ctx, client, resource)
		if err == nil {
			return nil
		}
		if !apierrors.IsNotFound(err) && !apierrors.IsTooManyRequests(err) {
			return fmt.Errorf("wait for %s: %w", resource.GroupResource(), err)
		}
		select {
		case <-time.After(20 * time.Millisecond): // nothing announces it
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w: %w", resource.GroupResource(), context.Cause(ctx), err)
		}
	}
}

// watchable opens a watch and closes it again.
func watchable(ctx context.Context, client dynamic.Interface, resource schema.GroupVersionResource) error {
	watch, err := client.Resource(resource).Watch(ctx, metav1.ListOptions{TimeoutSeconds: ptr.To(int64(1))})
	if err != nil {
		return err
	}
	watch.Stop()
	return nil
}
