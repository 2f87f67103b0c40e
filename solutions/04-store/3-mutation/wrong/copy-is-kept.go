// Misconception: a copy that was made once can be handed out again.
// Caught by: TestCopyIsEqual
// Message: the copy of a recipe that was copied before, and then written to

//go:build wrong

package mutation

import (
	"maps"
	"slices"
	"sync"
)

// copies has the copy of each recipe that was copied.
var copies sync.Map

func (r *Recipe) DeepCopy() *Recipe {
	if r == nil {
		return nil
	}
	if c, ok := copies.Load(r); ok {
		return c.(*Recipe)
	}
	c := *r
	c.Labels = maps.Clone(r.Labels)
	c.Finalizers = slices.Clone(r.Finalizers)
	if r.Owner != nil {
		c.Owner = &Owner{Name: r.Owner.Name, Controller: clone(r.Owner.Controller)}
	}
	c.Amounts = maps.Clone(r.Amounts)
	for guests, amounts := range r.Amounts {
		c.Amounts[guests] = maps.Clone(amounts)
	}
	c.Steps = slices.Clone(r.Steps)
	for i, step := range r.Steps {
		c.Steps[i].Uses = slices.Clone(step.Uses)
		c.Steps[i].Minutes = clone(step.Minutes)
	}
	copies.Store(r, &c)
	return &c
}
