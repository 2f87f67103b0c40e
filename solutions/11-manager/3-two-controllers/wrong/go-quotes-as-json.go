// Misconception: %q quotes as JSON does.
// Caught by: TestANoteOfAnyText
// Message: Points to: the belief that Go quotes as JSON does. %q and strconv.Quote write \a for a bell, and JSON has no
// such thing
// Base: alt/answer-into-the-read

//go:build wrong

package two

import (
	"context"
	"fmt"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (k *keeper) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var cached corev1.ConfigMap // shares its maps with the informer
	if err := k.client.Get(ctx, req.NamespacedName, &cached); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	want := k.note.Value(cached.DeepCopy())
	if have, ok := cached.Annotations[k.note.Annotation]; ok && have == want {
		return reconcile.Result{}, nil
	}
	data := fmt.Appendf(nil, `{"metadata":{"uid":%q,"annotations":{%q:%q}}}`, cached.UID, k.note.Annotation, want)
	target := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: req.Namespace, Name: req.Name}}
	err := k.client.Patch(ctx, target, client.RawPatch(types.MergePatchType, data), client.FieldOwner(k.note.Name))
	if gone(err) {
		err = nil
	}
	return reconcile.Result{}, err
}
