// Misconception: who copies the maps and slices of an object has copied it.
// Caught by: TestAllOfItMayBeTidiedUp
// Message: Points to: the belief that an object is copied if its maps and slices are. What these point to is still the
// cache's
// Base: alt/answer-into-the-read

//go:build wrong

package two

import (
	"context"
	"encoding/json"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"maps"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"slices"
)

func (k *keeper) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var cached corev1.ConfigMap // shares its maps with the informer
	if err := k.client.Get(ctx, req.NamespacedName, &cached); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	want := k.note.Value(clone(&cached))
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
	target := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: req.Namespace, Name: req.Name}}
	err = k.client.Patch(ctx, target, client.RawPatch(types.MergePatchType, data), client.FieldOwner(k.note.Name))
	if gone(err) {
		err = nil
	}
	return reconcile.Result{}, err
}

// clone makes a ConfigMap that Value may change, without the price of a DeepCopy: the strings need not be copied.
func clone(cm *corev1.ConfigMap) *corev1.ConfigMap {
	c := *cm
	c.Labels = maps.Clone(cm.Labels)
	c.Annotations = maps.Clone(cm.Annotations)
	c.OwnerReferences = slices.Clone(cm.OwnerReferences)
	c.Finalizers = slices.Clone(cm.Finalizers)
	c.ManagedFields = slices.Clone(cm.ManagedFields)
	c.Data = maps.Clone(cm.Data)
	c.BinaryData = maps.Clone(cm.BinaryData)
	return &c
}
