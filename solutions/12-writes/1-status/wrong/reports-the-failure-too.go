// Breaks: Then nothing is written.
// Caught by: TestGone
// Message: Patch is called 0 times

//go:build wrong

package status

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func (r Reporter) Report(ctx context.Context, key Key) error {
	read, err := r.Reader.Get(ctx, key)
	if err != nil {
		return unlessGone(err)
	}
	observed, err := r.Observer.Observe(ctx, read.DeepCopy())
	if err != nil {
		changed := read.DeepCopy()
		meta.SetStatusCondition(&changed.Status.Conditions, metav1.Condition{ // wrong
			Type: Healthy, Status: metav1.ConditionUnknown, Reason: "Failed", LastTransitionTime: r.Now()})
		return errors.Join(err, r.write(ctx, changed, read))
	}
	changed := read.DeepCopy()
	r.fill(&changed.Status, observed, read.Generation)
	if equality.Semantic.DeepEqual(changed.Status, read.Status) {
		return nil
	}
	return r.write(ctx, changed, read)
}
