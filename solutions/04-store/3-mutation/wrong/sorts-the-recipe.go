// Breaks: The recipe stays as it is.
// Caught by: TestCopyIsEqual
// Message: in the copy, Finalizers[0] is "dry" instead of "wash"; Finalizers[1] is "wash" instead of "dry"

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
	slices.Sort(r.Finalizers)
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
	return &c
}
