// Package status has a controller report what it has seen: in the status of the object that it looked at.
package status

import (
	"context"
	"fmt"

	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A Key is the namespace and the name of a PodDisruptionBudget.
type Key = types.NamespacedName

const (
	// Healthy is the type of the condition that the controller keeps. All other conditions are those of others.
	Healthy = "Healthy"
	// Owner is the field owner of what the controller writes.
	Owner = "health.scratch.example.com"
)

// A Reader reads the cache of an informer. It may lag behind the API server, and all who read get the same objects.
// An object has a resourceVersion, a generation above 0, and no two conditions of one type.
type Reader interface {
	// Get returns a PodDisruptionBudget. If there is none, the error is one that apierrors.IsNotFound recognises.
	Get(ctx context.Context, key Key) (*policyv1.PodDisruptionBudget, error)
}

// Observed is what there is to see in the world for a PodDisruptionBudget.
type Observed struct {
	CurrentHealthy     int32
	DesiredHealthy     int32
	ExpectedPods       int32
	DisruptionsAllowed int32

	// Healthy is whether the condition is True. If not, it is False.
	Healthy bool
	// Reason and Message are those of the condition.
	Reason  string
	Message string
}

// An Observer looks at the world. Its errors are its own, and may be of any kind.
type Observer interface {
	// Observe changes the object that it is given, metadata, spec and status: it tidies it up first. It may keep it,
	// and change it later. What it returns with an error is worth nothing.
	Observe(ctx context.Context, budget *policyv1.PodDisruptionBudget) (Observed, error)
}

// A Writer writes the status subresource. The Status() of a client.Client is one. Its errors may be wrapped.
type Writer interface {
	// Patch asks the patch for its data with obj, sends that to the status of the object that obj names, and puts the
	// server's answer into obj.
	Patch(ctx context.Context, obj client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error
}

// A Reporter reports. It has all of these.
type Reporter struct {
	Reader   Reader
	Observer Observer
	Writer   Writer
	Now      func() metav1.Time
}

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
	// TODO: read, observe, and write what differs
	_, _, _ = equality.Semantic, apierrors.IsNotFound, meta.SetStatusCondition
	return fmt.Errorf("nobody reports on %s yet", key)
}
