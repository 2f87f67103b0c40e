// Package two has controllers of one manager that write to the same objects. Each keeps a note on every ConfigMap: an
// annotation of its own, whose value it computes from the ConfigMap.
package two

import (
	"context"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
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
	// Value computes the note from the Data alone. It may take long, and it may change the ConfigMap that it is given:
	// it tidies it up first. It may be called for several ConfigMaps at one time.
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
	//solution:begin
	//todo: a controller for each note
	//stub: _, _, _ = builder.ControllerManagedBy, json.Marshal, context.Background
	//stub: _, _, _ = client.MergeFrom, controller.Options{}, types.MergePatchType
	//stub: _, _, _ = reconcile.Result{}, metav1.ObjectMeta{}, apierrors.IsNotFound
	//stub: return fmt.Errorf("nobody keeps %d notes yet", len(notes))
	for _, note := range notes {
		if err := add(m, note); err != nil {
			return fmt.Errorf("the controller %s: %w", note.Name, err)
		}
	}
	return nil
	//solution:end
}

//solution:begin

func add(m manager.Manager, note Note) error {
	return builder.ControllerManagedBy(m).Named(note.Name).For(&corev1.ConfigMap{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: 2}).
		Complete(&keeper{Note: note, client: m.GetClient()})
}

// keeper keeps one note.
type keeper struct {
	Note
	client client.Client
}

// Reconcile implements reconcile.Reconciler.
func (k *keeper) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var found corev1.ConfigMap
	err := k.client.Get(ctx, request.NamespacedName, &found)
	if apierrors.IsNotFound(err) {
		return reconcile.Result{}, nil
	}
	if err != nil {
		return reconcile.Result{}, err
	}
	value := k.Value(found.DeepCopy())
	if k.right(&found, value) {
		return reconcile.Result{}, nil
	}
	return reconcile.Result{}, client.IgnoreNotFound(k.write(ctx, &found, value))
}

// right reports whether a ConfigMap has the note.
func (k *keeper) right(found *corev1.ConfigMap, value string) bool {
	was, ok := found.Annotations[k.Annotation]
	return ok && was == value
}

// write writes the note, and nothing else.
func (k *keeper) write(ctx context.Context, found *corev1.ConfigMap, value string) error {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"annotations": map[string]string{k.Annotation: value}}})
	if err != nil {
		return err
	}
	target := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: found.Namespace, Name: found.Name}}
	return k.client.Patch(ctx, target, client.RawPatch(types.MergePatchType, patch), client.FieldOwner(k.Name))
}

//solution:end
