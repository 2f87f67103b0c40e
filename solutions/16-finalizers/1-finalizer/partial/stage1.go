// Run adds the key, and makes what has it.

//go:build partial

package finalizer

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

func (p *Protocol) Run(ctx context.Context, object types.NamespacedName) error {
	o, err := p.API.Get(ctx, object)
	if err != nil {
		return err
	}
	if slices.Contains(o.Finalizers, p.Key) {
		return p.World.Make(ctx, o)
	}
	patch, err := mergePatch(map[string]any{"finalizers": append(o.Finalizers, p.Key)})
	if err != nil {
		return err
	}
	return p.API.Patch(ctx, object, patch)
}
