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
	// began is when a run began that has neither written nor ended, and slow the longest that one took until then.
	began map[string]time.Time
	slow  map[string]time.Duration
	last  map[string]error // what the last run has returned
}

func newBroom() *broom {
	return &broom{runs: map[string]int{}, gone: map[string]time.Time{}, began: map[string]time.Time{},
		slow: map[string]time.Duration{}, last: map[string]error{}}
}

// begins notes a run.
func (b *broom) begins(name string) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.runs[name]++
	b.began[name] = time.Now()
}

// acts notes that a run writes, or ends.
func (b *broom) acts(name string) {
	b.lock.Lock()
	defer b.lock.Unlock()
	if began, ok := b.began[name]; ok {
		b.slow[name] = max(b.slow[name], time.Since(began))
		delete(b.began, name)
	}
}

// ends notes what a run returns.
func (b *broom) ends(name string, err error) {
	b.acts(name)
	b.lock.Lock()
	defer b.lock.Unlock()
	b.last[name] = err
}

// said is what the last run of a key has returned, if that is an error.
func (b *broom) said(name string) string {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.last[name] == nil {
		return ""
	}
	return fmt.Sprintf("; the last of its %d runs: %v", b.runs[name], b.last[name])
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
	b.acts(key.Name)
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
	return func(ctx context.Context, request reconcile.Request) (result reconcile.Result, err error) {
		b.begins(request.Name)
		defer func() {
			v := recover()
			if v != nil {
				err = fmt.Errorf("it has panicked: %v", v)
			}
			b.ends(request.Name, err)
			if v != nil {
				panic(v) // the manager's controller makes it an error of the key, too
			}
		}()
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
	b := newBroom()
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
				return name + " should be gone, and is there" + b.said(name), nil
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
	if err := b.looked("soon"); err != nil {
		return err
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
	l.Became("soon went %v after its moment", b.gone["soon"].Sub(moment).Round(time.Millisecond))
	l.Became("kept, vague and plain are there, after one run each")
	l.Conclude("soon went at its moment and not before it, and heir after it. What can't be read was looked at once.")
	return nil
}

// What a key may need until its moment has come: a run when it is created, one at its moment, one when it is gone, and
// one more for who comes first. A run that has nothing to wait for but a cache takes no second.
const (
	fewRuns = 4
	aWhile  = time.Second
)

// looked says whether a moment was waited for as the assignment says: by the queue.
func (b *broom) looked(name string) error {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.runs[name] > fewRuns {
		return wrong("11.1", "%s went in time, and was looked at %d times: twice is enough", name, b.runs[name])
	}
	if b.slow[name] > aWhile {
		return wrong("11.1", "%s went in time, and a run of it took %v: it has kept a worker from all else", name,
			b.slow[name].Round(time.Millisecond))
	}
	return nil
}
