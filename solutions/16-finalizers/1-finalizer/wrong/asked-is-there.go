// Misconception: a write has happened when it was sent.
// Caught by: TestFailures
// Message: the belief that to ask for the key is to have it

//go:build wrong

package finalizer

import (
	"context"
	"slices"

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
	has := slices.Contains(o.Finalizers, p.Key)
	switch {
	case o.DeletionTimestamp == nil && has:
		return p.World.Make(ctx, o)
	case o.DeletionTimestamp == nil:
		patch, err := mergePatch(map[string]any{
			"finalizers": append(slices.Clone(o.Finalizers), p.Key), "resourceVersion": o.ResourceVersion})
		if err != nil || gone(p.API.Patch(ctx, object, patch)) {
			return err
		}
		return p.World.Make(ctx, o)
	case !has:
		return nil
	}
	if done, err := p.World.Clean(ctx, o); err != nil || !done {
		return err
	}
	others := slices.DeleteFunc(slices.Clone(o.Finalizers), func(key string) bool { return key == p.Key })
	return p.set(ctx, object, o, others)
}
