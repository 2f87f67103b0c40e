// Breaks: The copy shares nothing with the recipe that could be written to, on no level.
// Caught by: TestCopySharesNothing
// Message: these arrived in another one: Finalizers[1] = "iron"; slices.Reverse(Finalizers)

//go:build wrong

package mutation

import (
	"maps"
	"slices"
)

func (r *Recipe) DeepCopy() *Recipe {
	if r == nil {
		return nil
	}
	c := *r
	c.Labels = maps.Clone(r.Labels)
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
	return &c
}
