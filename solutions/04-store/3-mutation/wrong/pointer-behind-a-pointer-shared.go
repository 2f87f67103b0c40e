// Misconception: a new Owner has new fields, and so its pointer is new, too.
// Caught by: TestCopySharesNothing
// Message: the belief that one level is deep enough

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
	c.Finalizers = slices.Clone(r.Finalizers)
	if r.Owner != nil {
		c.Owner = new(*r.Owner)
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
