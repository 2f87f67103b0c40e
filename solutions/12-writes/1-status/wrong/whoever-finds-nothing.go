// Breaks: The error of Observe, if there is one, whatever it says.
// Caught by: TestGone
// Message: the error is returned

//go:build wrong

package status

import (
	"context"

	"k8s.io/apimachinery/pkg/api/equality"
)

func (r Reporter) Report(ctx context.Context, key Key) error {
	read, err := r.Reader.Get(ctx, key)
	if err != nil {
		return unlessGone(err)
	}
	observed, err := r.Observer.Observe(ctx, read.DeepCopy())
	if err != nil {
		return unlessGone(err) // wrong: a Pod was not there, perhaps
	}
	changed := read.DeepCopy()
	r.fill(&changed.Status, observed, read.Generation)
	if equality.Semantic.DeepEqual(changed.Status, read.Status) {
		return nil
	}
	return r.write(ctx, changed, read)
}
