// Misconception: failures are counted for each controller, also where all have one limiter.
// Caught by: TestTheOthersFailuresDoNotCount
// Message: Points to: the belief that failures are counted for each controller. A limiter counts for all who have it,
// by the object's name
// Base: alt/answer-into-the-read

//go:build wrong

package two

import (
	"context"
	"encoding/json"
	"fmt"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sync"
	"time"
)

func Add(m manager.Manager, notes ...Note) error {
	limiter := &backoff{first: 5 * time.Millisecond, most: time.Minute, failures: map[reconcile.Request]int{}}
	for _, note := range notes {
		if err := add(m, note, limiter); err != nil {
			return fmt.Errorf("the controller of note %q: %w", note.Name, err)
		}
	}
	return nil
}

func add(m manager.Manager, note Note, limiter *backoff) error {
	check := false // whatever the manager's own options say
	return builder.ControllerManagedBy(m).
		Named(note.Name).
		For(&corev1.ConfigMap{}).
		WithOptions(controller.Options{SkipNameValidation: &check, RateLimiter: limiter}).
		Complete(&keeper{client: m.GetClient(), note: note})
}

func (k *keeper) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var cached corev1.ConfigMap // shares its maps with the informer
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
	target := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: req.Namespace, Name: req.Name}}
	err = k.client.Patch(ctx, target, client.RawPatch(types.MergePatchType, data), client.FieldOwner(k.note.Name))
	if gone(err) {
		err = nil
	}
	return reconcile.Result{}, err
}

// A backoff is a queue's limiter: exponential for each ConfigMap, but with no more than a minute between two attempts
// (the default goes up to 1000 seconds).
type backoff struct {
	first, most time.Duration

	mu       sync.Mutex
	failures map[reconcile.Request]int
}

func (b *backoff) When(req reconcile.Request) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := b.failures[req]
	b.failures[req]++
	if n > 20 {
		return b.most
	}
	return min(b.first<<n, b.most)
}

func (b *backoff) Forget(req reconcile.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.failures, req)
}

func (b *backoff) NumRequeues(req reconcile.Request) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failures[req]
}
