// Misconception: the key only starts the clean-up.
// Caught by: TestOrder
// Message: the belief that the key is to go first

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
	others := slices.DeleteFunc(slices.Clone(o.Finalizers), func(key string) bool { return key == p.Key })
	if err := p.set(ctx, object, o, others); err != nil {
		return err
	}
	_, err = p.World.Clean(ctx, o)
	return err
}
