package main

import (
	"context"

	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	status "github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/exercises/1-status"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// tries is how often a refused report is made again: a cluster may have a controller that writes this status, too.
const tries = 10

// world is what a Reporter reads, observes and writes. What it reads is what is there, unless it is to read something
// else.
type world struct {
	over client.Client
	l    *lab.Lab
	read *policyv1.PodDisruptionBudget // in place of what is there
	sees status.Observed

	writes int
	answer *policyv1.PodDisruptionBudget // to the last write
}

// Get implements status.Reader.
func (w *world) Get(ctx context.Context, key status.Key) (*policyv1.PodDisruptionBudget, error) {
	if w.read != nil {
		return w.read, nil
	}
	var there policyv1.PodDisruptionBudget
	return &there, w.over.Get(ctx, key, &there)
}

// Observe implements status.Observer.
func (w *world) Observe(context.Context, *policyv1.PodDisruptionBudget) (status.Observed, error) {
	return w.sees, nil
}

// Patch implements status.Writer, and shows what is sent.
func (w *world) Patch(ctx context.Context, o client.Object, p client.Patch,
	options ...client.SubResourcePatchOption) error {
	data, err := p.Data(o)
	if err != nil {
		return err
	}
	w.writes++
	w.l.Sent("PATCH of /status, %s", p.Type())
	for _, line := range lab.Wrap(string(data), lab.Columns-2) {
		w.l.More("%s", line)
	}
	err = w.over.Status().Patch(ctx, o, p, options...)
	if answer, ok := o.(*policyv1.PodDisruptionBudget); ok && err == nil {
		w.answer = answer.DeepCopy()
	}
	return err
}

// report is step 1.
func report(ctx context.Context, l *lab.Lab) error {
	over, err := user(ctx, l)
	if err != nil {
		return err
	}
	budget := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Namespace: l.Namespace, Name: "shop"},
		Spec: policyv1.PodDisruptionBudgetSpec{MinAvailable: ptr.To(intstr.FromInt32(2)),
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "shop"}}}}
	if err := over.Create(ctx, budget); err != nil {
		return err
	}
	old := budget.DeepCopy()
	key := client.ObjectKeyFromObject(budget)
	w := &world{over: over, l: l, sees: status.Observed{CurrentHealthy: 3, DesiredHealthy: 2, ExpectedPods: 3,
		DisruptionsAllowed: 1, Healthy: true, Reason: "Enough", Message: "three of three are well"}}
	yours := status.Reporter{Reader: w, Observer: w, Writer: w, Now: metav1.Now}
	if err := firstReport(ctx, l, w, yours, key); err != nil {
		return err
	}
	l.Say("The same again, with the object as it was answered:")
	w.read, w.writes = w.answer, 0
	if err := yours.Report(ctx, key); err != nil || w.writes > 0 {
		return wrong("12.1", "nothing has changed, and so nothing should be written: %d requests, error %v",
			w.writes, err)
	}
	l.Became("nothing is written")
	l.Say("And with the object as it was before the first report, by a cache that is behind:")
	w.read, w.writes, w.sees.CurrentHealthy = old, 0, 1
	err = yours.Report(ctx, key)
	if !apierrors.IsConflict(err) || w.writes != 1 {
		return unreturned(w.writes, err)
	}
	l.Wire("%s", "409, and your Report has returned it")
	l.Conclude("Your Report has written what was seen, and nothing when nothing had changed, and nothing over what it " +
		"did not know.")
	return nil
}

// unreturned says what a conflict should lead to.
func unreturned(requests int, err error) error {
	return wrong("12.1", "a conflict should be returned after one request: %d requests, error %v", requests, err)
}

// firstReport has a report written, and looks at the answer.
func firstReport(ctx context.Context, l *lab.Lab, w *world, yours status.Reporter, key status.Key) error {
	var err error
	for range tries {
		w.writes = 0
		if err = yours.Report(ctx, key); !apierrors.IsConflict(err) {
			break
		}
	}
	switch {
	case err != nil:
		return wrong("12.1", "the first report should be written: %v", err)
	case w.answer == nil && w.writes > 0: // the cluster's own controller was quicker
		return unreturned(w.writes, err)
	case w.answer == nil:
		return wrong("12.1", "the first report should be written, and nothing was sent")
	}
	got := w.answer.Status
	condition := meta.FindStatusCondition(got.Conditions, status.Healthy)
	counted := got.CurrentHealthy == 3 && got.DisruptionsAllowed == 1
	if !counted || condition == nil || condition.Status != metav1.ConditionTrue {
		return wrong("12.1", "the status should have the counts 3 and 1 and the condition Healthy=True, and has "+
			"%d, %d and %v", got.CurrentHealthy, got.DisruptionsAllowed, condition)
	}
	if got.ObservedGeneration != w.answer.Generation {
		return wrong("12.1", "observedGeneration should be %d, and is %d", w.answer.Generation, got.ObservedGeneration)
	}
	l.Became("%d of %d are healthy, %s is %s", got.CurrentHealthy, got.ExpectedPods, condition.Type, condition.Status)
	return nil
}
