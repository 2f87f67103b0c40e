// Misconception: a controller knows what it has written.
// Caught by: TestAnew
// Message: the belief that a key once added is there

//go:build wrong

package finalizer

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

type Protocol struct {
	API   API
	World World
	Key   string

	added map[types.NamespacedName]bool
}

func (p *Protocol) Run(ctx context.Context, object types.NamespacedName) error {
	o, err := p.API.Get(ctx, object)
	if gone(err) {
		return nil
	}
	if err != nil {
		return err
	}
	has := slices.Contains(o.Finalizers, p.Key) || p.added[object] && o.DeletionTimestamp == nil
	switch {
	case o.DeletionTimestamp == nil && has:
		return p.World.Make(ctx, o)
	case o.DeletionTimestamp == nil:
		p.added = map[types.NamespacedName]bool{object: true}
		return p.set(ctx, object, o, append(slices.Clone(o.Finalizers), p.Key))
	case !has:
		return nil
	}
	if done, err := p.World.Clean(ctx, o); err != nil || !done {
		return err
	}
	others := slices.DeleteFunc(slices.Clone(o.Finalizers), func(key string) bool { return key == p.Key })
	return p.set(ctx, object, o, others)
}
