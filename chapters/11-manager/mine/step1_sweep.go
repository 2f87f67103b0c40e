package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	result "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/exercises/1-result"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// broom is what the reader's Reconciler has: the manager's client, and a Keeper that needs what is called kept.
type broom struct {
	client.Client

	lock sync.Mutex // guards what is below
	runs map[string]int
	gone map[string]time.Time // when what was deleted
}

// Get implements result.Reader.
func (b *broom) Get(ctx context.Context, key result.Key) (*corev1.ConfigMap, error) {
	found := &corev1.ConfigMap{}
	if err := b.Client.Get(ctx, key, found); err != nil {
		return nil, err
	}
	return found, nil
}

// Delete implements result.Writer.
func (b *broom) Delete(ctx context.Context, key result.Key, p metav1.Preconditions) error {
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}}
	sent := time.Now()
	if err := b.Client.Delete(ctx, object, client.Preconditions(p)); err != nil {
		return err
	}
	b.lock.Lock()
	defer b.lock.Unlock()
	b.gone[key.Name] = sent
	return nil
}

// sent reports whether a deletion has succeeded.
func (b *broom) sent(name string) bool {
	b.lock.Lock()
	defer b.lock.Unlock()
	return !b.gone[name].IsZero()
}

// Needs implements result.Keeper.
func (b *broom) Needs(_ context.Context, key result.Key) (bool, error) {
	return key.Name == "kept", nil
}

// count is the reader's Reconciler, whose runs are counted.
func (b *broom) count(yours *result.Reconciler) reconcile.Func {
	return func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
		b.lock.Lock()
		b.runs[request.Name]++
		b.lock.Unlock()
		return yours.Reconcile(ctx, request)
	}
}

// waiting are the keys of those whose After names an object, and its own.
func waiting(over client.Reader) handler.MapFunc {
	return func(ctx context.Context, o client.Object) []reconcile.Request {
		keys := []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(o)}}
		var all corev1.ConfigMapList
		if err := over.List(ctx, &all, client.InNamespace(o.GetNamespace())); err != nil {
			return keys
		}
		for _, one := range all.Items {
			if one.Annotations[result.After] == o.GetName() {
				keys = append(keys, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&one)})
			}
		}
		return keys
	}
}

// sweep is step 1.
func (r *run) sweep(ctx context.Context, l *lab.Lab) error {
	over, err := user(l)
	if err != nil {
		return err
	}
	moment := time.Now().Add(2 * time.Second)
	past := time.Now().Add(-time.Hour).Format(time.RFC3339)
	for _, one := range []struct {
		name  string
		marks map[string]string
	}{
		{"past", map[string]string{result.Until: past}},
		{"soon", map[string]string{result.Until: moment.Format(time.RFC3339Nano)}},
		{"heir", map[string]string{result.Until: past, result.After: "soon"}},
		{"kept", map[string]string{result.Until: past}},
		{"vague", map[string]string{result.Until: "some day"}},
		{"plain", nil},
	} {
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: l.Namespace, Name: one.name,
			Annotations: one.marks}}
		if err := over.Create(ctx, object); err != nil {
			return err
		}
	}
	b := &broom{runs: map[string]int{}, gone: map[string]time.Time{}}
	return under(ctx, l, nil, func(m manager.Manager) error {
		b.Client = m.GetClient()
		return builder.ControllerManagedBy(m).Named("sweeper-"+l.Namespace).
			Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(waiting(m.GetCache()))).
			WithOptions(controller.Options{MaxConcurrentReconciles: 2}).
			Complete(b.count(&result.Reconciler{Reader: b, Writer: b, Keeper: b}))
	}, func(ctx context.Context) error { return r.swept(ctx, l, over, b, moment) })
}

// swept waits for what should go, and looks at what should stay.
func (r *run) swept(ctx context.Context, l *lab.Lab, over client.Client, b *broom, moment time.Time) error {
	for _, name := range []string{"past", "soon", "heir"} {
		err := r.until(ctx, "11.1", func() (string, error) {
			err := over.Get(ctx, client.ObjectKey{Namespace: l.Namespace, Name: name}, &corev1.ConfigMap{})
			if err == nil {
				return name + " should be gone, and is there", nil
			}
			if client.IgnoreNotFound(err) == nil && !b.sent(name) { // gone, and the answer is still on its way
				return name + " should be gone by your Reconciler", nil
			}
			return "", client.IgnoreNotFound(err)
		})
		if err != nil {
			return err
		}
		l.Became("%s is gone", name)
	}
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.gone["soon"].Before(moment) || b.gone["heir"].Before(b.gone["soon"]) {
		return wrong("11.1", "soon should go at its moment, and heir after it: they went %v and %v after that moment",
			b.gone["soon"].Sub(moment).Round(time.Millisecond), b.gone["heir"].Sub(moment).Round(time.Millisecond))
	}
	var all error
	for _, name := range []string{"kept", "vague", "plain"} {
		if err := over.Get(ctx, client.ObjectKey{Namespace: l.Namespace, Name: name}, &corev1.ConfigMap{}); err != nil {
			all = errors.Join(all, fmt.Errorf("%s should be there: %w", name, err))
		}
		if b.runs[name] != 1 {
			all = errors.Join(all, fmt.Errorf("%s should have had one run, and had %d", name, b.runs[name]))
		}
	}
	if all != nil {
		return wrong("11.1", "%v", all)
	}
	l.Became("kept, vague and plain are there, after one run each")
	l.Conclude("soon went at its moment and not before it, and heir after it. What can't be read was looked at once.")
	return nil
}
