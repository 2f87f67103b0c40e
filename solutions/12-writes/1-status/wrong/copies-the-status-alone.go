// Breaks: Nothing that the Reader returns is changed, by the Writer's answer neither.
// Caught by: TestFirstReport
// Message: Points to: the belief that what was read is the reader's own. It is the cache's, and all who read have the
// same one
// Removes: Reporter.fill, conditionStatus, Reporter.write, unlessGone

//go:build wrong

package status

import (
	"context"
	"fmt"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Report looks at one PodDisruptionBudget: it is read, observed, and what was observed is written into its status. A
// controller calls it, once more after an error, and after each change of the object.
//
// What becomes of the status:
//
//   - Its four counts, CurrentHealthy, DesiredHealthy, ExpectedPods and DisruptionsAllowed, become those of Observed,
//     also if they are 0.
//   - Its ObservedGeneration becomes the generation of the object that was read, whatever it was before.
//   - Its condition Healthy gets the Status, Reason and Message that were observed, an empty one too, and as its own
//     ObservedGeneration the generation of the object that was read.
//   - The LastTransitionTime of this condition becomes what Now returns, if there was no such condition or if its
//     Status is another than before. Otherwise it stays what it was.
//   - Conditions keep their places in the list, and a Healthy that was not there comes last.
//   - All else in the status stays as it was read, the conditions of others too.
//   - All this is so for an object that is being deleted, too.
//
// How that is written:
//
//   - If nothing in the status is to change, nothing is written.
//   - Otherwise Patch is called once, whatever comes of it. There is no second call.
//   - It gets a merge patch, of the type types.MergePatchType.
//   - The patch has in it, as metadata.resourceVersion, the resourceVersion of the object that was read, so that the
//     server refuses it if anybody has written since.
//   - Of the status it has those fields that change, each with its new value, and no other. The conditions are one
//     field: if one of them changes, the whole list is in the patch.
//   - Beside these it has nothing in it.
//   - The obj is a *policyv1.PodDisruptionBudget that has the namespace and the name of the key.
//   - The field owner is Owner. There is no other option.
//
// What is returned:
//
//   - No error, if the Reader finds no such object. Then nothing is observed or written.
//   - The error of Observe, if there is one, whatever it says. Then nothing is written.
//   - No error, if the Writer says that there is no such object any more.
//   - Any other error of the Reader or the Writer, a conflict as well: the cache has still the old object, so only a
//     later call can do better.
//   - An error is returned bare or wrapped, so that errors.Is finds it.
//   - In all other cases no error.
//
// How it is done:
//
//   - The object is read once and observed once. Whatever changes after it was read is for the next call.
//   - Observe gets a copy of all that was read. What it does to that copy shows nowhere else.
//   - Nothing that the Reader returns is changed, by the Writer's answer neither.
//   - Reader, Observer and Writer get ctx, or one that is made from it and ends when it does.
//   - Report waits for nothing but these three.
//   - Each call goes by what it reads and observes, and by nothing that it remembers.
//   - It may be called several times at once, and no call waits for another.
func (r Reporter) Report(ctx context.Context, key Key) error {
	budget, err := r.Reader.Get(ctx, key)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", key, err)
	}

	observed, err := r.Observer.Observe(ctx, budget.DeepCopy())
	if err != nil {
		return fmt.Errorf("observe %s: %w", key, err)
	}

	// Only the status changes, so only the status needs a deep copy.
	written := *budget
	budget.Status.DeepCopyInto(&written.Status)
	updated := &written
	r.apply(updated, observed)
	if equality.Semantic.DeepEqual(budget.Status, updated.Status) {
		return nil
	}

	patch := client.MergeFromWithOptions(budget.DeepCopy(), client.MergeFromWithOptimisticLock{})
	err = r.Writer.Patch(ctx, updated, patch, client.FieldOwner(Owner))
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("write the status of %s: %w", key, err)
	}
	return nil
}

// apply puts what was observed into the status of the budget.
func (r Reporter) apply(budget *policyv1.PodDisruptionBudget, observed Observed) {
	status := &budget.Status
	status.CurrentHealthy = observed.CurrentHealthy
	status.DesiredHealthy = observed.DesiredHealthy
	status.ExpectedPods = observed.ExpectedPods
	status.DisruptionsAllowed = observed.DisruptionsAllowed
	status.ObservedGeneration = budget.Generation

	condition := metav1.Condition{
		Type:               Healthy,
		Status:             metav1.ConditionFalse,
		ObservedGeneration: budget.Generation,
		LastTransitionTime: r.Now(),
		Reason:             observed.Reason,
		Message:            observed.Message,
	}
	if observed.Healthy {
		condition.Status = metav1.ConditionTrue
	}
	meta.SetStatusCondition(&status.Conditions, condition)
}
