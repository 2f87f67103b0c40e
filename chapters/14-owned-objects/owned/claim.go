package owned

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// Kind is the owners' kind.
var Kind = v1alpha1.GroupVersion.WithKind("ProcessSet")

// Patcher sends patches. Each client.Client is one.
type Patcher interface {
	Patch(ctx context.Context, object client.Object, patch client.Patch, options ...client.PatchOption) error
}

// Claim says which of the Processes are a set's, those that are being deleted included.
//
//   - One with a controller whose UID is the set's is its own. If the selector no longer matches, it is released,
//     unless the set is being deleted: then it goes with the set, and counts no more.
//   - One without a controller that the selector matches is adopted, unless one of the two is being deleted.
//   - Everything else is left alone.
//
// Before the first adoption live is asked for the set, once. A cache may show a set that is gone, and whoever adopts
// for it has the garbage collector delete what is adopted. If the set is another one by now, or is being deleted,
// nothing is adopted and an error says why.
//
// One failure does not keep the others from being claimed.
//
// Upstream's counterpart is k8s.io/kubernetes/pkg/controller.PodControllerRefManager, in controller_ref_manager.go.
func Claim(ctx context.Context, set *v1alpha1.ProcessSet, all []v1alpha1.Process, live Reader, over Patcher) (
	mine []*v1alpha1.Process, err error) {
	c := &claim{set: set, live: live, over: over, selects: labels.SelectorFromSet(set.Spec.Selector)}
	var failed []error
	for i := range all {
		one := &all[i]
		is, err := c.one(ctx, one)
		if is {
			mine = append(mine, one)
		}
		failed = append(failed, err)
	}
	return mine, errors.Join(failed...)
}

// claim is one run's.
type claim struct {
	set     *v1alpha1.ProcessSet
	live    Reader // nil: the set is taken for what it is
	over    Patcher
	selects labels.Selector

	asked bool
	why   error // not to adopt, once it was asked
}

// one says whether a Process is the set's.
func (c *claim) one(ctx context.Context, p *v1alpha1.Process) (bool, error) {
	selected, controller := c.selects.Matches(labels.Set(p.Labels)), metav1.GetControllerOfNoCopy(p)
	switch {
	case controller != nil && controller.UID != c.set.UID:
		return false, nil
	case controller != nil && selected:
		return true, nil
	case controller != nil && c.set.DeletionTimestamp != nil:
		return false, nil
	case controller != nil:
		return false, c.release(ctx, p)
	case !selected || c.set.DeletionTimestamp != nil || p.DeletionTimestamp != nil:
		return false, nil
	}
	if err := c.mayAdopt(ctx); err != nil {
		return false, fmt.Errorf("adopt %s: %w", p.Name, err)
	}
	return c.adopt(ctx, p)
}

// mayAdopt asks the API server for the set.
func (c *claim) mayAdopt(ctx context.Context) error {
	if c.live == nil || c.asked {
		return c.why
	}
	var fresh v1alpha1.ProcessSet
	err := c.live.Get(ctx, client.ObjectKeyFromObject(c.set), &fresh)
	switch {
	case err != nil:
		err = fmt.Errorf("read the set, past the cache: %w", err)
	case fresh.UID != c.set.UID:
		err = fmt.Errorf("the set of the cache is gone: it had UID %s, and %s has another one", c.set.UID, fresh.Name)
	case fresh.DeletionTimestamp != nil:
		err = fmt.Errorf("the set has been in deletion since %s, and the cache does not show it",
			fresh.DeletionTimestamp.UTC().Format("15:04:05"))
	}
	c.asked, c.why = true, err
	return err
}

func (c *claim) adopt(ctx context.Context, p *v1alpha1.Process) (bool, error) {
	err := c.own(ctx, p, append(slices.Clone(p.OwnerReferences), *metav1.NewControllerRef(c.set, Kind)))
	return err == nil, withoutGone(err)
}

func (c *claim) release(ctx context.Context, p *v1alpha1.Process) error {
	others := slices.DeleteFunc(slices.Clone(p.OwnerReferences),
		func(r metav1.OwnerReference) bool { return r.UID == c.set.UID })
	return withoutGone(c.own(ctx, p, others))
}

// withoutGone leaves out that the Process is gone: then nobody owns it.
func withoutGone(err error) error { return client.IgnoreNotFound(err) }

// own writes the references. A merge patch has the whole list, so that it needs the version as a lock: somebody else
// may have added one. With the UID it is refused if the name is another object's by now. A custom resource has no
// strategic merge patch, with which upstream adds one reference.
func (c *claim) own(ctx context.Context, p *v1alpha1.Process, references []metav1.OwnerReference) error {
	body, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"uid": p.UID, "resourceVersion": p.ResourceVersion, "ownerReferences": references}})
	if err != nil {
		return err
	}
	err = c.over.Patch(ctx, p.DeepCopy(), client.RawPatch(types.MergePatchType, body))
	if apierrors.IsInvalid(err) {
		return fmt.Errorf("the references of %s, which may be another object by now: %w", p.Name, err)
	}
	return err
}
