// Misconception: what is tried again needs no error.
// Stage: 3

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
		return p.set(ctx, object, o, append(slices.Clone(o.Finalizers), p.Key)) // the change leads to the next Run
	case !has:
		return nil
	}
	if done, err := p.World.Clean(ctx, o); err != nil || !done {
		return nil
	}
	others := slices.DeleteFunc(slices.Clone(o.Finalizers), func(key string) bool { return key == p.Key })
	return p.set(ctx, object, o, others)
}
