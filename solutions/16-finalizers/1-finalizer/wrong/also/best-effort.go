// Misconception: a clean-up is an attempt.
// Stage: 2

//go:build wrong

package finalizer

import (
	"context"
	"errors"
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
	done, failed := p.World.Clean(ctx, o)
	if failed == nil && !done {
		return nil
	}
	others := slices.DeleteFunc(slices.Clone(o.Finalizers), func(key string) bool { return key == p.Key })
	return errors.Join(p.set(ctx, object, o, others), failed)
}
