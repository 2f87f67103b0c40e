package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	apply "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/applyconfiguration/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"

	held "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/published"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// aWhile is how long what has no end is looked at.
const aWhile = time.Second

// under has a manager run controllers of the Processes in the run's namespace, while something else is done.
func under(ctx context.Context, l *lab.Lab, run map[string]func(client.Client) reconcile.Reconciler,
	while func(context.Context, client.Client) error) error {
	if err := installBook(ctx, l); err != nil {
		return err
	}
	m, err := manager.New(running.Access(l), manager.Options{
		Scheme: scenario.Known(), Metrics: server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: ptr.To(true)},
		Cache:      cacheOf(l.Namespace),
	})
	if err != nil {
		return err
	}
	for name, reconciler := range run {
		err := builder.ControllerManagedBy(m).Named(name).For(&v1alpha1.Process{}).
			WithOptions(controller.Options{}).Complete(reconciler(m.GetClient()))
		if err != nil {
			return err
		}
	}
	started := running.Run(ctx, m.Start)
	defer func() { _ = started.Stop() }()
	user, err := clientOf(l, l.HTTPClient(), nil)
	if err != nil {
		return err
	}
	if err := while(ctx, user); err != nil {
		return err
	}
	return started.Stop()
}

// cacheOf has the objects of one namespace.
func cacheOf(namespace string) cache.Options {
	return cache.Options{Scheme: scenario.Known(), DefaultNamespaces: map[string]cache.Config{namespace: {}}}
}

// wait lets time pass.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// finalizer is -fault finalizer: a list in a merge patch, and what it says.
func finalizer(ctx context.Context, l *lab.Lab) error {
	if err := installBook(ctx, l); err != nil {
		return err
	}
	user, err := clientOf(l, l.HTTPClient(), nil)
	if err != nil {
		return err
	}
	shown, err := clientOf(l, l.Aloud(l.HTTPClient()), user.RESTMapper())
	if err != nil {
		return err
	}
	for i, lock := range []writes.Lock{writes.Unlocked, writes.Locked} {
		p, err := scenario.Made(ctx, user, l.Namespace, fmt.Sprintf("cleaned-up-%d", i+1))
		if err != nil {
			return err
		}
		defer free(ctx, user, p) // also if it ends in between: what has a finalizer keeps its namespace
		l.Say("A merge patch %s a version:", map[writes.Lock]string{false: "without", true: "with"}[lock])
		for _, who := range []string{"scratch.example.com/ann", "scratch.example.com/bob"} {
			patch, err := writes.MergeFrom(p, lock)
			if err != nil {
				return err
			}
			read := p.DeepCopy()
			read.Finalizers = append(read.Finalizers, who)
			if err := shown.Patch(ctx, read, patch); err != nil {
				l.WireWhole(err.Error())
			}
		}
		if err := user.Get(ctx, client.ObjectKeyFromObject(p), p); err != nil {
			return err
		}
		l.Became("finalizers: %s", strings.Join(p.Finalizers, ", "))
	}
	l.Conclude("A merge patch holds the whole list, and so the second one took the first one's finalizer away, and both were " +
		"told that they have one. When the Process is deleted, ann's is not waited for.")
	return nil
}

// free takes the finalizers away.
func free(ctx context.Context, user client.Client, p *v1alpha1.Process) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*aWhile)
	defer cancel()
	_ = user.Patch(ctx, scenario.Named(p.Namespace, p.Name), client.RawPatch(types.MergePatchType,
		[]byte(`{"metadata":{"finalizers":null}}`))) // if it can't be done, the lab says what is left
}

// graceful is a controller that wants a grace period, and applies it where it is another.
type graceful struct {
	name    string
	seconds int32
	force   bool
	over    client.Client

	lock    sync.Mutex // guards what follows
	writes  int
	refused error
}

// Reconcile implements reconcile.Reconciler.
func (g *graceful) Reconcile(ctx context.Context, r reconcile.Request) (none reconcile.Result, err error) {
	var p v1alpha1.Process
	if err := g.over.Get(ctx, r.NamespacedName, &p); err != nil {
		return none, client.IgnoreNotFound(err)
	}
	if ptr.Deref(p.Spec.GracePeriodSeconds, 0) == g.seconds {
		return none, nil
	}
	options := []client.ApplyOption{client.FieldOwner(g.name)}
	if g.force {
		options = append(options, client.ForceOwnership)
	}
	err = g.over.Apply(ctx, apply.Process(r.Name, r.Namespace).WithSpec(
		apply.ProcessSpec().WithGracePeriodSeconds(g.seconds)), options...)
	g.lock.Lock()
	defer g.lock.Unlock()
	if len(writes.Conflicts(err)) > 0 {
		g.refused = err
		return none, nil // it gives up: another owns it
	}
	g.writes++
	return none, err
}

// fight is -fault fight: two controllers that both insist, and then two of which one gives up.
func fight(ctx context.Context, l *lab.Lab) error {
	for i, insists := range []bool{true, false} {
		north := &graceful{name: "north", seconds: 5, force: true}
		south := &graceful{name: "south", seconds: 60, force: insists}
		made := func(g *graceful) func(client.Client) reconcile.Reconciler {
			return func(over client.Client) reconcile.Reconciler {
				g.over = over
				return g
			}
		}
		both := map[string]func(client.Client) reconcile.Reconciler{"north": made(north), "south": made(south)}
		err := under(ctx, l, both, func(ctx context.Context, user client.Client) error {
			name := fmt.Sprintf("contested-%d", i+1)
			p := apply.Process(name, l.Namespace).WithSpec(apply.ProcessSpec().WithCommand("sleep"))
			if err := user.Apply(ctx, p, client.FieldOwner("maker")); err != nil {
				return err
			}
			if err := wait(ctx, aWhile); err != nil {
				return err
			}
			return user.Delete(ctx, scenario.Named(l.Namespace, name))
		})
		if err != nil {
			return err
		}
		l.Say("south applies %s force, for a second:", map[bool]string{true: "with", false: "without"}[insists])
		l.Became("writes of north: %d, writes of south: %d", north.writes, south.writes)
		if south.refused != nil {
			l.WireWhole(south.refused.Error())
		}
	}
	l.Conclude("Each write of the one is an event for the other, and nothing ends it: no error, no backoff. A conflict is how " +
		"a controller learns that somebody else has decided. Force is for fields that nobody else may have.")
	return nil
}

// stubborn is -fault retry: tries over a cache that has not heard.
func stubborn(ctx context.Context, l *lab.Lab) error {
	if err := installBook(ctx, l); err != nil {
		return err
	}
	user, err := clientOf(l, l.HTTPClient(), nil)
	if err != nil {
		return err
	}
	p, err := scenario.Made(ctx, user, l.Namespace, "stubborn")
	if err != nil {
		return err
	}
	var hold *held.Hold
	access := running.Access(l, func(next http.RoundTripper) http.RoundTripper {
		hold = held.HoldAtUpdate(next, "processes")
		return hold
	})
	all, err := cache.New(access, cacheOf(l.Namespace))
	if err != nil {
		return err
	}
	cached := running.Run(ctx, all.Start)
	defer func() { _ = cached.Stop() }()
	defer hold.Release()
	key := client.ObjectKeyFromObject(p)
	if err := all.Get(ctx, key, &v1alpha1.Process{}); err != nil { // which begins the watch
		return err
	}
	l.Say("Somebody labels a Process. The watch that feeds the cache is held back.")
	somebody, err := client.New(access, client.Options{Scheme: scenario.Known(), Mapper: user.RESTMapper()})
	if err != nil {
		return err
	}
	if err := scenario.Labelled(ctx, somebody, p); err != nil {
		return err
	}
	began := time.Now()
	tries, err := published.RetryOverACache(ctx, all, user, key, grace)
	l.Sent("published.RetryOverACache: %d tries in %v", tries, time.Since(began).Round(time.Millisecond))
	if !apierrors.IsConflict(err) {
		return fmt.Errorf("a conflict was expected: %w", err)
	}
	l.WireWhole(err.Error())
	l.Say("The watch goes on.")
	hold.Release()
	calls, err := untilWritten(ctx, all, user, key)
	if err != nil {
		return err
	}
	l.Became("published.ReturnTheConflict, called again until there is none: it is written, calls: %d", calls)
	l.Conclude("All tries read the same object, and make the same write of it. What ends a conflict is an event, and that comes " +
		"while nobody tries. RetryOnConflict is for who reads from the API server.")
	return nil
}

// untilWritten calls again after a conflict, as a queue does: later each time.
func untilWritten(ctx context.Context, all client.Reader, user client.Client, key client.ObjectKey) (
	calls int, err error) {
	for pause := 5 * time.Millisecond; ; pause *= 2 {
		calls++
		err := published.ReturnTheConflict(ctx, all, user, key, grace)
		if !apierrors.IsConflict(err) {
			return calls, err
		}
		if err := wait(ctx, pause); err != nil {
			return calls, err
		}
	}
}

// loop is -fault loop: a status that differs after each run.
func loop(ctx context.Context, l *lab.Lab) error {
	for i, c := range []struct {
		name string
		says func(p *v1alpha1.Process)
	}{
		{"how often it was looked at", func(p *v1alpha1.Process) { p.Status.Restarts++ }},
		{"what was found", func(p *v1alpha1.Process) { p.Status.ObservedGeneration = p.Generation }},
	} {
		runs := 0
		looker := func(over client.Client) reconcile.Reconciler {
			return writes.New(over, func(_ context.Context, p *v1alpha1.Process) (r reconcile.Result, err error) {
				runs++ // there is one worker
				c.says(p)
				return r, nil
			})
		}
		counted := map[string]func(client.Client) reconcile.Reconciler{"looker": looker}
		err := under(ctx, l, counted, func(ctx context.Context, user client.Client) error {
			p, err := scenario.Made(ctx, user, l.Namespace, fmt.Sprintf("looked-at-%d", i+1))
			if err != nil {
				return err
			}
			if err := wait(ctx, aWhile); err != nil {
				return err
			}
			return user.Delete(ctx, p)
		})
		if err != nil {
			return err
		}
		l.Say("The status says %s:", c.name)
		l.Became("%d runs in a second", runs)
	}
	l.Conclude("A status that is other after each run brings the next one. What a run writes is what it has found. Its own " +
		"write brings a second run, which finds the same and writes nothing.")
	return nil
}

// oldType is -fault old-type: a program whose Go type is older than the kind.
func oldType(ctx context.Context, l *lab.Lab) error {
	if err := installBook(ctx, l); err != nil {
		return err
	}
	for _, c := range []struct{ way, name string }{{"update", "first"}, {"merge patch with a version", "second"}} {
		made := withEnv(c.name)
		over := quietly(l)
		read, err := over.Create(ctx, processes(l), "maker", made)
		if err != nil {
			return err
		}
		known := writes.Merge(read, object{"spec": object{"env": nil}}) // what its Go type has no field for
		way, err := writes.Named(c.way)
		if err != nil {
			return err
		}
		w, err := way.Make("old", writes.Change{Before: known,
			After: writes.Merge(known, object{"spec": object{"gracePeriodSeconds": grace}})})
		if err != nil {
			return err
		}
		answer, err := aloud(l, "spec").Write(ctx, processes(l)+"/"+c.name, w)
		if err != nil {
			return err
		}
		answered(l, answer)
		l.Became("env is %s", orNothing(answer.Field("spec", "env")))
	}
	l.Conclude("An update says all that there is to be, and what it does not say goes: also a field of which the program has " +
		"never heard. A patch says what is to be another.")
	return nil
}

// withEnv is a Process with a field that an older Go type did not have.
func withEnv(name string) object {
	return object{"apiVersion": v1alpha1.GroupVersion.String(), "kind": "Process", "metadata": object{"name": name},
		"spec": object{"command": "sleep", "env": list("TZ", "UTC")}}
}
