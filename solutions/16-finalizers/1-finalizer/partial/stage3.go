// Run takes a NotFound, of Get or of Patch, for what it is: the object is gone.

//go:build partial

package finalizer

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func (p *Protocol) Run(ctx context.Context, object types.NamespacedName) error {
	o, err := p.API.Get(ctx, object)
	if gone(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if o.DeletionTimestamp != nil {
		return p.leave(ctx, object, o)
	}
	if slices.Contains(o.Finalizers, p.Key) {
		return p.World.Make(ctx, o)
	}
	return p.set(ctx, object, append(o.Finalizers, p.Key))
}

func (p *Protocol) leave(ctx context.Context, object types.NamespacedName, o *metav1.PartialObjectMetadata) error {
	if !slices.Contains(o.Finalizers, p.Key) {
		return nil
	}
	if done, err := p.World.Clean(ctx, o); err != nil || !done {
		return err
	}
	return p.set(ctx, object, slices.DeleteFunc(o.Finalizers, func(key string) bool { return key == p.Key }))
}

func (p *Protocol) set(ctx context.Context, object types.NamespacedName, keys []string) error {
	patch, err := mergePatch(map[string]any{"finalizers": keys})
	if err != nil {
		return err
	}
	if err := p.API.Patch(ctx, object, patch); !gone(err) {
		return err
	}
	return nil
}
