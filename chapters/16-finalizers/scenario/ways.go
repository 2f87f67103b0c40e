package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// Mine is the finalizer that a Way takes out.
const Mine = "example.com/mine"

// Way is how a finalizer can be taken out of an object, as it was read.
type Way struct {
	Name string
	Send func(ctx context.Context, over client.Client, read *v1alpha1.Process) error
}

// Ways are those of the table.
func Ways() []Way {
	return []Way{
		{"update", func(ctx context.Context, over client.Client, read *v1alpha1.Process) error {
			read.Finalizers = rest(read)
			return over.Update(ctx, read)
		}},
		{"merge patch of the list", func(ctx context.Context, over client.Client, read *v1alpha1.Process) error {
			return merge(ctx, over, read, map[string]any{"finalizers": rest(read)})
		}},
		{"the same, with the version", func(ctx context.Context, over client.Client, read *v1alpha1.Process) error {
			return merge(ctx, over, read,
				map[string]any{"finalizers": rest(read), "resourceVersion": read.ResourceVersion})
		}},
		{"JSON patch by position", func(ctx context.Context, over client.Client, read *v1alpha1.Process) error {
			return jsonPatch(ctx, over, read, remove(read))
		}},
		{"the same, with a test", func(ctx context.Context, over client.Client, read *v1alpha1.Process) error {
			at := remove(read)
			return jsonPatch(ctx, over, read, operation{"test", at.Path, Mine}, at)
		}},
		{"apply without it", func(ctx context.Context, over client.Client, read *v1alpha1.Process) error {
			return Apply(ctx, over, read, nil)
		}},
		{"update of the status", func(ctx context.Context, over client.Client, read *v1alpha1.Process) error {
			read.Finalizers = rest(read)
			return over.Status().Update(ctx, read)
		}},
	}
}

// rest are an object's finalizers without the one that is to go.
func rest(o client.Object) []string {
	left := slices.DeleteFunc(slices.Clone(o.GetFinalizers()), func(k string) bool { return k == Mine })
	return append([]string{}, left...) // an empty list, and not null
}

// operation is one of a JSON patch.
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// remove is the removal of what stands where the finalizer was read.
func remove(o client.Object) operation {
	return operation{Op: "remove", Path: fmt.Sprintf("/metadata/finalizers/%d", slices.Index(o.GetFinalizers(), Mine))}
}

func jsonPatch(ctx context.Context, over client.Client, o client.Object, all ...operation) error {
	return patch(ctx, over, o, types.JSONPatchType, all)
}

func merge(ctx context.Context, over client.Client, o client.Object, metadata map[string]any) error {
	return patch(ctx, over, o, types.MergePatchType, map[string]any{"metadata": metadata})
}

// Apply says as the manager "mine" that a Process has these finalizers, and nothing else but its command.
func Apply(ctx context.Context, over client.Client, o client.Object, finalizers []string) error {
	metadata := map[string]any{"name": o.GetName()}
	if finalizers != nil {
		metadata["finalizers"] = finalizers
	}
	says := map[string]any{"apiVersion": v1alpha1.GroupVersion.String(), "kind": "Process", "metadata": metadata,
		"spec": map[string]any{"command": "sleep"}}
	return patch(ctx, over, o, types.ApplyPatchType, says, client.FieldOwner("mine"), client.ForceOwnership)
}

// patch sends a patch. What comes back is dropped.
func patch(ctx context.Context, over client.Client, o client.Object, kind types.PatchType, body any,
	options ...client.PatchOption) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	at := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: o.GetNamespace(), Name: o.GetName()}}
	return over.Patch(ctx, at, client.RawPatch(kind, text), options...)
}

// Code is what an answer is: a number and its reason, or "ok" for 200 and 201.
func Code(err error) string {
	if err == nil {
		return "ok"
	}
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return err.Error()
	}
	return fmt.Sprintf("%d %s", status.Status().Code, status.Status().Reason)
}
