// Package two has controllers of one manager that write to the same objects. Each keeps a note on every ConfigMap: an
// annotation of its own, whose value it computes from the ConfigMap.
package two

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// A Note is what one controller keeps on each ConfigMap.
type Note struct {
	// Name is the controller's.
	Name string
	// Annotation is the key of the note. No other controller has it.
	Annotation string
	// Value computes the note from the Data. It may take long, and it may change the ConfigMap that it is given: it
	// tidies it up first. It may be called for several ConfigMaps at one time.
	Value func(*corev1.ConfigMap) string
}

// Add adds a controller to the manager for each of the notes. The manager has not begun yet. Its cache has an informer
// for *corev1.ConfigMap, which others use, too, and hands out what that informer has without copying it
// (cache.Options.DefaultUnsafeDisableDeepCopy). Its client reads from this cache. Its options do not skip the
// validation of controllers' names.
//
// What they keep:
//
//   - Whatever has changed in a ConfigMap, its note becomes what Value says of it, also if that is empty. A note that
//     somebody has changed or taken away is put right.
//   - A ConfigMap that is gone by the time of the write, or was gone before, is no failure.
//   - A write that fails is made again later, by the queue's limiter.
//
// How they keep out of each other's way:
//
//   - Each note has a controller of its own, with its Name. What is slow or fails for one does not hold up another.
//   - If a Name is taken, by a controller of these or of any other manager in the process, Add returns an error.
//   - All read from the one informer that there is. They open no other watch, and ask the API server for no object.
//   - Nothing that the cache hands out is changed.
//   - A write is a merge patch, with the Annotation and, if need be, the UID in it, and with nothing else.
//   - So it is refused for no change that somebody else has made, and undoes none.
//   - The field manager of a write, fieldManager in its URL, is the Name.
//   - A note that is right is not written. When all notes are right, nobody writes.
func Add(m manager.Manager, notes ...Note) error {
	for _, note := range notes {
		if err := add(m, note); err != nil {
			return fmt.Errorf("the controller of note %q: %w", note.Name, err)
		}
	}
	return nil
}

func add(m manager.Manager, note Note) error {
	check := false // whatever the manager's own options say
	return builder.ControllerManagedBy(m).
		Named(note.Name).
		For(&corev1.ConfigMap{}).
		WithOptions(controller.Options{SkipNameValidation: &check}).
		Complete(&keeper{client: m.GetClient(), note: note})
}

// A keeper keeps one note on all ConfigMaps.
type keeper struct {
	client client.Client
	note   Note
}

func (k *keeper) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var cached corev1.ConfigMap // the struct is ours: Patch sets it to zero before the answer is decoded into it
	if err := k.client.Get(ctx, req.NamespacedName, &cached); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	want := k.note.Value(cached.DeepCopy())
	if have, ok := cached.Annotations[k.note.Annotation]; ok && have == want {
		return reconcile.Result{}, nil
	}
	data, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"uid":         cached.UID,
		"annotations": map[string]string{k.note.Annotation: want},
	}})
	if err != nil {
		return reconcile.Result{}, err
	}
	err = k.client.Patch(ctx, &cached, client.RawPatch(types.MergePatchType, data), client.FieldOwner(k.note.Name))
	if gone(err) {
		err = nil
	}
	return reconcile.Result{}, err
}

// gone says whether a write was refused because the ConfigMap is not there any more: none is, or another of its name.
func gone(err error) bool {
	if err == nil {
		return false
	}
	if client.IgnoreNotFound(err) == nil {
		return true
	}
	var refused interface{ Status() metav1.Status }
	if !errors.As(err, &refused) {
		return false
	}
	status := refused.Status()
	switch status.Reason {
	case metav1.StatusReasonConflict:
		return strings.Contains(status.Message, "UID in precondition")
	case metav1.StatusReasonInvalid:
		if status.Details == nil {
			return false
		}
		for _, cause := range status.Details.Causes {
			if cause.Field == "metadata.uid" {
				return true
			}
		}
	}
	return false
}
