// Breaks: What is nil stays nil, and what is empty stays empty: an empty list is not nil, and a nil list is not an
// empty one.
// Caught by: TestCopyIsEqual
// Message: Owner is not nil instead of nil

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
	c.Owner = &Owner{}
	if r.Owner != nil {
		*c.Owner = Owner{Name: r.Owner.Name, Controller: clone(r.Owner.Controller)}
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
