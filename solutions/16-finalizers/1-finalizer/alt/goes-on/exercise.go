// Package finalizer goes on in the same Run, and patches with a whole object.
package finalizer

import (
	"context"
	"encoding/json"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// API is the API server. Its errors are NotFound, Conflict, and others.
type API interface {
	Get(ctx context.Context, object types.NamespacedName) (*metav1.PartialObjectMetadata, error)
	// Patch sends a merge patch: what it names takes the place of what the object has, lists as a whole.
	Patch(ctx context.Context, object types.NamespacedName, patch []byte) error
}

// World is where the things are that objects stand for.
type World interface {
	// Make makes the object's thing. One that is there it keeps.
	Make(ctx context.Context, o *metav1.PartialObjectMetadata) error
	// Clean clears the thing away, which may take longer than the call: it is done when it says so.
	Clean(ctx context.Context, o *metav1.PartialObjectMetadata) (done bool, err error)
}

// Protocol is how one controller deals with its finalizer.
type Protocol struct {
	API   API
	World World
	Key   string
}

// mergePatch is a merge patch for fields of an object's metadata, which have their names in JSON: "finalizers".
func mergePatch(fields map[string]any) ([]byte, error) {
	return json.Marshal(map[string]any{"metadata": fields})
}

// gone says of an API's error that there is no such object.
func gone(err error) bool { return apierrors.IsNotFound(err) }

// Run goes through the four cases.
func (p *Protocol) Run(ctx context.Context, object types.NamespacedName) error {
	cached, err := p.API.Get(ctx, object)
	if err != nil {
		return ignoreGone(err)
	}
	o := cached.DeepCopy()
	others := []string{}
	for _, key := range o.Finalizers {
		if key != p.Key {
			others = append(others, key)
		}
	}
	has, deleted := len(others) < len(o.Finalizers), o.DeletionTimestamp != nil
	if has && deleted {
		done, err := p.World.Clean(ctx, o)
		if err != nil {
			return fmt.Errorf("clean up %v: %w", object, err)
		}
		if done {
			return ignoreGone(p.write(ctx, o, others))
		}
	}
	if !deleted {
		if !has {
			if err := p.write(ctx, o, append(others, p.Key)); err != nil {
				return ignoreGone(err)
			}
		}
		return p.World.Make(ctx, o)
	}
	return nil
}

// write sends all of the object's metadata, and with it its version.
func (p *Protocol) write(ctx context.Context, o *metav1.PartialObjectMetadata, keys []string) error {
	text, err := json.Marshal(o.ObjectMeta)
	if err != nil {
		return err
	}
	fields := map[string]any{}
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	fields["finalizers"] = keys
	patch, err := mergePatch(fields)
	if err != nil {
		return err
	}
	return p.API.Patch(ctx, types.NamespacedName{Namespace: o.Namespace, Name: o.Name}, patch)
}

func ignoreGone(err error) error {
	if gone(err) {
		return nil
	}
	return err
}
