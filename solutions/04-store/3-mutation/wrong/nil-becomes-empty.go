// Misconception: a map of length 0 is a map of length 0: it need not be nil.
// Caught by: TestCopyOfNilAndOfEmpty
// Message: the belief that nil and empty are the same

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
	c.Labels = make(map[string]string, len(r.Labels))
	for key, value := range r.Labels {
		c.Labels[key] = value
	}
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
