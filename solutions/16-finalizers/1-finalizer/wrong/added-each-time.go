// Misconception: a list of keys is a set.
// Caught by: TestOnce
// Message: the belief that the API server keeps a key once

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
	case o.DeletionTimestamp == nil:
		if err := p.set(ctx, object, o, append(slices.Clone(o.Finalizers), p.Key)); err != nil {
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
