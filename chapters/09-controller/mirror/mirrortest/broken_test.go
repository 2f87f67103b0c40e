package mirrortest_test

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
)

func faults() map[string]fault {
	all := map[string]fault{}
	for _, some := range []map[string]fault{deaf(), wrongWrites(), wrongWork()} {
		for name, f := range some {
			all[name] = f
		}
	}
	return all
}

// deaf are those whose handler does not name all places.
func deaf() map[string]fault {
	handler := func(change func(cache.ResourceEventHandler) cache.ResourceEventHandlerFuncs) func(*mirror.Parts) {
		return func(p *mirror.Parts) {
			p.Handler = func(r mirror.Relations, add func(mirror.Key)) cache.ResourceEventHandler {
				return change(mirror.NewHandler(r, add))
			}
		}
	}
	all := func(h cache.ResourceEventHandler) cache.ResourceEventHandlerFuncs {
		return cache.ResourceEventHandlerFuncs{AddFunc: func(o any) { h.OnAdd(o, false) }, UpdateFunc: h.OnUpdate,
			DeleteFunc: h.OnDelete}
	}
	return map[string]fault{
		"deaf to deletes": {handler(func(h cache.ResourceEventHandler) cache.ResourceEventHandlerFuncs {
			f := all(h)
			f.DeleteFunc = nil
			return f
		}), "the mirrors of a source that is deleted go", "b/menu is a mirror that nobody wants"},
		"deaf to updates": {handler(func(h cache.ResourceEventHandler) cache.ResourceEventHandlerFuncs {
			f := all(h)
			f.UpdateFunc = nil
			return f
		}), "a mirror follows its source", ""},
		"deaf to what is there": {handler(func(h cache.ResourceEventHandler) cache.ResourceEventHandlerFuncs {
			f := all(h)
			f.AddFunc = nil
			return f
		}), "a source is mirrored", "b/menu has no mirror of a/menu"},
		"forgets what was": {handler(func(h cache.ResourceEventHandler) cache.ResourceEventHandlerFuncs {
			f := all(h)
			f.UpdateFunc = func(_, after any) { h.OnAdd(after, false) }
			return f
		}), "the mirrors of what is no source any more go", ""},
		"knows no tombstones": {handler(func(h cache.ResourceEventHandler) cache.ResourceEventHandlerFuncs {
			f := all(h)
			f.DeleteFunc = func(o any) {
				if _, ok := o.(cache.DeletedFinalStateUnknown); !ok {
					h.OnDelete(o)
				}
			}
			return f
		}), "what was deleted while no watch was open is noticed", ""},
		"trusts a tombstone's object": {handler(func(h cache.ResourceEventHandler) cache.ResourceEventHandlerFuncs {
			f := all(h)
			f.DeleteFunc = func(o any) {
				if t, ok := o.(cache.DeletedFinalStateUnknown); ok {
					o = t.Obj
				}
				if c, ok := o.(*corev1.ConfigMap); !ok || c.Labels[mirror.Role] == mirror.Source {
					h.OnDelete(o)
				}
			}
			return f
		}), "a mirror that is deleted comes back", ""},
		"does not look at namespaces": {handler(func(h cache.ResourceEventHandler) cache.ResourceEventHandlerFuncs {
			skip := func(o any) bool { _, namespace := o.(*corev1.Namespace); return namespace }
			return cache.ResourceEventHandlerFuncs{
				AddFunc: func(o any) {
					if !skip(o) {
						h.OnAdd(o, false)
					}
				},
				UpdateFunc: h.OnUpdate, DeleteFunc: h.OnDelete}
		}), "a namespace that begins to ask gets all mirrors", ""},
	}
}

// writer is one that does something else.
type writer struct {
	mirror.Writer
	update func(context.Context, *corev1.ConfigMap) error
	remove func(context.Context, mirror.Key, metav1.Preconditions) error
}

func (w writer) Update(ctx context.Context, c *corev1.ConfigMap) error {
	if w.update != nil {
		return w.update(ctx, c)
	}
	return w.Writer.Update(ctx, c)
}

func (w writer) Delete(ctx context.Context, place mirror.Key, only metav1.Preconditions) error {
	if w.remove != nil {
		return w.remove(ctx, place, only)
	}
	return w.Writer.Delete(ctx, place, only)
}

// reader is one that sees something else.
type reader struct {
	mirror.Reader
	get  func(mirror.Key) (*corev1.ConfigMap, bool)
	asks func(string) bool
}

func (r reader) Get(place mirror.Key) (*corev1.ConfigMap, bool) {
	if r.get != nil {
		return r.get(place)
	}
	return r.Reader.Get(place)
}

func (r reader) Asks(namespace string) bool {
	if r.asks != nil {
		return r.asks(namespace)
	}
	return r.Reader.Asks(namespace)
}

// wrongWrites are those whose runs come to a wrong conclusion.
func wrongWrites() map[string]fault {
	writing := func(with func(mirror.Writer) mirror.Writer) func(*mirror.Parts) {
		return func(p *mirror.Parts) {
			p.Reconcile = func(ctx context.Context, k mirror.Key, r mirror.Reader, w mirror.Writer) error {
				return mirror.Reconcile(ctx, k, r, with(w))
			}
		}
	}
	reading := func(with func(mirror.Reader) mirror.Reader) func(*mirror.Parts) {
		return func(p *mirror.Parts) {
			p.Reconcile = func(ctx context.Context, k mirror.Key, r mirror.Reader, w mirror.Writer) error {
				return mirror.Reconcile(ctx, k, with(r), w)
			}
		}
	}
	return map[string]fault{
		"deletes whatever is there": {writing(func(w mirror.Writer) mirror.Writer {
			return writer{Writer: w, remove: func(ctx context.Context, k mirror.Key, _ metav1.Preconditions) error {
				return w.Delete(ctx, k, metav1.Preconditions{})
			}}
		}), "what took a mirror's place unseen is not deleted", "is no mirror, and is gone"},
		"writes over whatever is there": {writing(func(w mirror.Writer) mirror.Writer {
			return writer{Writer: w, update: func(ctx context.Context, c *corev1.ConfigMap) error {
				c.UID, c.ResourceVersion = "", ""
				return w.Update(ctx, c)
			}}
		}), "a write from an old read is not the last word", ""},
		"all is its own": {reading(func(r mirror.Reader) mirror.Reader {
			return reader{Reader: r, get: func(k mirror.Key) (*corev1.ConfigMap, bool) {
				c, ok := r.Get(k)
				if ok && c.Labels[mirror.Role] == "" {
					c = c.DeepCopy()
					c.Labels[mirror.Role] = mirror.Mirror
				}
				return c, ok
			}}
		}), "what stands in a mirror's place stays", ""},
		"notes the time": {func(p *mirror.Parts) {
			p.Reconcile = func(ctx context.Context, k mirror.Key, r mirror.Reader, w mirror.Writer) error {
				if c, ok := r.Get(k); ok && c.Labels[mirror.Role] == mirror.Mirror {
					c = c.DeepCopy()
					c.Annotations = map[string]string{"at": time.Now().String(), mirror.Of: c.Annotations[mirror.Of]}
					time.Sleep(time.Minute)
					return w.Update(ctx, c)
				}
				return mirror.Reconcile(ctx, k, r, w)
			}
		}, "a source is mirrored", "and the controller writes on"},
		"takes others' labels away": {writing(func(w mirror.Writer) mirror.Writer {
			return writer{Writer: w, update: func(ctx context.Context, c *corev1.ConfigMap) error {
				c.Labels = map[string]string{mirror.Group: c.Labels[mirror.Group], mirror.Role: mirror.Mirror}
				return w.Update(ctx, c)
			}}
		}), "what others write on a mirror stays", ""},
		"never deletes": {writing(func(w mirror.Writer) mirror.Writer {
			none := func(context.Context, mirror.Key, metav1.Preconditions) error { return nil }
			return writer{Writer: w, remove: none}
		}), "the mirrors of a source that is deleted go", ""},
		"everybody asks": {reading(func(r mirror.Reader) mirror.Reader {
			return reader{Reader: r, asks: func(string) bool { return true }}
		}), "a namespace that begins to ask gets all mirrors, and one that asks no more loses them", ""},
		"never updates": {writing(func(w mirror.Writer) mirror.Writer {
			return writer{Writer: w, update: func(context.Context, *corev1.ConfigMap) error { return nil }}
		}), "a mirror follows its source", ""},
	}
}

// wrongWork are those whose workers break the contract.
func wrongWork() map[string]fault {
	work := func(change func(*mirror.Work)) func(*mirror.Parts) {
		return func(p *mirror.Parts) {
			p.Work = func(ctx context.Context, w mirror.Work) error {
				change(&w)
				return w.Run(ctx)
			}
		}
	}
	return map[string]fault{
		"begins at once": {work(func(w *mirror.Work) { w.Synced = nil }),
			"nothing is written before the namespaces are known", "knows nothing of the namespaces yet, and writes"},
		"waits for one of two": {work(func(w *mirror.Work) { w.Synced = w.Synced[:2] }),
			"nothing is written before the namespaces are known", "knows nothing of the namespaces yet, and writes"},
		"swallows errors": {work(func(w *mirror.Work) {
			reconcile := w.Reconcile
			w.Reconcile = func(ctx context.Context, k mirror.Key) error {
				_ = reconcile(ctx, k)
				return nil
			}
		}), "a write that the server refuses is made again", ""},
		"tries again at once": {work(func(w *mirror.Work) {
			reconcile := w.Reconcile
			w.Reconcile = func(ctx context.Context, k mirror.Key) error {
				err := reconcile(ctx, k)
				for i := 0; i < 300 && err != nil && ctx.Err() == nil; i++ {
					err = reconcile(ctx, k)
				}
				return err
			}
		}), "a write that is refused for a long time is not made again at once", ""},
		"waits for the one that fails": {work(func(w *mirror.Work) {
			reconcile, alone := w.Reconcile, make(chan struct{}, 1)
			w.Reconcile = func(ctx context.Context, k mirror.Key) error {
				alone <- struct{}{}
				defer func() { <-alone }()
				err := reconcile(ctx, k)
				for err != nil && ctx.Err() == nil {
					time.Sleep(time.Second)
					err = reconcile(ctx, k)
				}
				return err
			}
		}), "one place that is refused holds back no other", "only b is refused"},
		"does not end": {func(p *mirror.Parts) {
			p.Work = func(ctx context.Context, w mirror.Work) error { return w.Run(context.WithoutCancel(ctx)) }
		}, "it ends when its context does", "goroutines were left in the bubble"},
	}
}
