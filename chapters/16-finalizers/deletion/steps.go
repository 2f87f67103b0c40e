package deletion

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/finalizer"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// Step is one thing that has to be done before an object goes.
type Step struct {
	// Name is one word in CamelCase. It is the reason of the condition while the step is not done.
	Name string
	// Do does it, or finds that it is done. It returns nil only if it is done now, and *Waiting if it has to be called
	// again and nothing is wrong. It is called again after each failure, and also after a success of which nobody
	// knows: the answer was lost, or the controller has died. So it looks at the world, and not at what was done.
	Do func(ctx context.Context, o client.Object) error
}

// Waiting says that a step is not done, and why. After is when to come again, or 0 if an event will tell.
type Waiting struct {
	For   string // the rest of a sentence that begins with "waits for"
	After time.Duration
}

// Error implements error.
func (w *Waiting) Error() string { return "waits for " + w.For }

// Steps is a clean-up in steps. They are gone through from the first one each time, and one that is not done keeps the
// next from being begun.
type Steps []Step

var _ finalizer.Finalizer = Steps(nil)

// ConditionCleanedUp is false while a step is not done. Its reason is the step's name, its message what is waited for,
// or what failed. An object whose steps were all done at once does not have it.
const ConditionCleanedUp = "CleanedUp"

// Finalize implements finalizer.Finalizer.
func (s Steps) Finalize(ctx context.Context, o client.Object) (finalizer.Result, error) {
	for _, step := range s {
		if err := step.Do(ctx, o); err != nil {
			changed := note(o, metav1.ConditionFalse, step.Name, err.Error())
			if w := (*Waiting)(nil); !errors.As(err, &w) {
				err = fmt.Errorf("clean up %s, %s: %w", o.GetName(), step.Name, err)
			}
			return finalizer.Result{StatusUpdated: changed}, err
		}
	}
	if all := conditions(o); all == nil || meta.FindStatusCondition(*all, ConditionCleanedUp) == nil {
		return finalizer.Result{}, nil
	}
	return finalizer.Result{StatusUpdated: note(o, metav1.ConditionTrue, "Done", "nothing is left to do")}, nil
}

// note sets the condition, and says whether it was another.
func note(o client.Object, is metav1.ConditionStatus, reason, message string) bool {
	all := conditions(o)
	return all != nil && meta.SetStatusCondition(all, metav1.Condition{Type: ConditionCleanedUp, Status: is,
		Reason: reason, Message: message, ObservedGeneration: o.GetGeneration()})
}

// conditions are those of an object's status, or nil if its kind is not one of the book's.
func conditions(o client.Object) *[]metav1.Condition {
	switch o := o.(type) {
	case *v1alpha1.Process:
		return &o.Status.Conditions
	case *v1alpha1.ProcessSet:
		return &o.Status.Conditions
	}
	return nil
}
