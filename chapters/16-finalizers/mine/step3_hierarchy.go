package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
	owning "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/deletion"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// lingers takes a while to end, when it is asked to.
const lingers = `trap "sleep 0.3; exit 0" TERM; while :; do sleep 0.05; done`

// hierarchy is step 3: two sets, of which one takes its children with it.
func (r run) hierarchy(ctx context.Context, l *lab.Lab) error {
	yours := newChildren()
	if missing := yours.missing(); missing != "" {
		l.Say("%s", missing)
	}
	stands := func(p *place) (reconcile.Reconciler, error) {
		yours.place = p
		over, live := p.manager.GetClient(), p.manager.GetAPIReader()
		sets := owned.New(over, live, owned.Ours())
		guard := deletion.Set(over, live, sets, deletion.Pieces{
			Order: func(*deletion.Order) func(context.Context, client.Object) error { return yours.do }})
		if err := sets.Setup(p.manager, "processset", controller.Options{Reconciler: guard}); err != nil {
			return nil, err
		}
		return p.guard(deletion.Pieces{})
	}
	return r.within(ctx, l, stands, func(ctx context.Context, p *place) error {
		alone := p.Process("web-9", "sh", "-c", lingers)
		if _, err := p.runs(ctx, alone); err != nil {
			return err
		}
		if err := p.takesThem(ctx, yours); err != nil || !yours.known.waits {
			return err
		}
		if !yours.known.orphans {
			unwritten(l, 4, "16.3", "a set that is deleted with --cascade=orphan would take its children with it")
			return nil
		}
		return p.leavesThem(ctx)
	})
}

// set creates a set for this machine, and waits until its children run.
func (p *place) set(ctx context.Context, name string, replicas int32) (*v1alpha1.ProcessSet, error) {
	set := owning.Set(p.lab.Namespace, name, replicas)
	set.Spec.Template.Labels = map[string]string{"app": name, kubelet.Label: p.Name}
	set.Spec.Template.Spec = p.Process("", "sh", "-c", lingers).Spec
	if err := p.User.Create(ctx, set); err != nil {
		return nil, err
	}
	err := p.until(ctx, func() bool {
		all, err := p.children(ctx, name)
		return err == nil && len(all) == int(replicas) && !slices.ContainsFunc(all, func(c v1alpha1.Process) bool {
			return c.Status.Phase != v1alpha1.PhaseRunning
		})
	})
	if err != nil {
		return nil, fmt.Errorf("wait for the children of %s: %w", name, err)
	}
	return set, nil
}

// children are those with a set's label.
func (p *place) children(ctx context.Context, set string) ([]v1alpha1.Process, error) {
	var list v1alpha1.ProcessList
	err := p.User.List(ctx, &list, client.InNamespace(p.lab.Namespace), client.MatchingLabels{"app": set})
	return list.Items, err
}

// record has what became of the Processes of a namespace, in order: "web-2 is being deleted", "web-2 is gone".
type record struct {
	lock sync.Mutex
	told []string
	stop func()
}

// records begins one.
func (p *place) records(ctx context.Context) (*record, error) {
	var now v1alpha1.ProcessList
	if err := p.User.List(ctx, &now, client.InNamespace(p.lab.Namespace)); err != nil {
		return nil, err
	}
	changes, err := p.User.Watch(ctx, &v1alpha1.ProcessList{}, client.InNamespace(p.lab.Namespace),
		&client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: now.ResourceVersion}})
	if err != nil {
		return nil, err
	}
	r, ended := &record{}, make(chan struct{})
	r.stop = sync.OnceFunc(func() { changes.Stop(); <-ended })
	go func() {
		defer close(ended)
		for e := range changes.ResultChan() {
			o, ok := e.Object.(*v1alpha1.Process)
			switch {
			case !ok:
			case e.Type == watch.Deleted:
				p.note(r, o.Name+" is gone")
			case o.DeletionTimestamp != nil:
				p.note(r, o.Name+" is being deleted")
			}
		}
	}()
	return r, nil
}

// note shows what is new.
func (p *place) note(r *record, what string) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if !slices.Contains(r.told, what) {
		r.told = append(r.told, what)
		p.lab.Became("%s", what)
	}
}

// says returns what was told so far.
func (r *record) says() []string {
	r.lock.Lock()
	defer r.lock.Unlock()
	return slices.Clone(r.told)
}

// takesThem deletes a set of three.
func (p *place) takesThem(ctx context.Context, yours *children) error {
	set, err := p.set(ctx, "web", 3)
	if err != nil {
		return err
	}
	r, err := p.records(ctx)
	if err != nil {
		return err
	}
	defer r.stop()
	p.lab.Say("Somebody deletes the set web. Beside its three children there is web-9, which is nobody's.")
	if err := p.User.Delete(ctx, set); err != nil {
		return err
	}
	if err := p.until(ctx, func() bool { return p.isGone(ctx, set) }); err != nil {
		return wrong("16.3", "the set web is being deleted, and should go: %v\n%s", err, strings.Join(r.says(), ", "))
	}
	left, err := p.children(ctx, "web")
	if err != nil {
		return err
	}
	if len(left) > 0 {
		return wrong("16.3", "your Run has returned true, so the set web is gone: %s is still there", left[0].Name)
	}
	all := []string{"web-2 is gone", "web-1 is gone", "web-0 is gone"}
	if err := p.until(ctx, func() bool { return contains(r.says(), all) }); err != nil {
		return fmt.Errorf("wait for the news of the last child: %w", err)
	}
	return p.inOrder(yours, r.says())
}

// isGone says whether an object is no more.
func (p *place) isGone(ctx context.Context, o client.Object) bool {
	return apierrors.IsNotFound(p.User.Get(ctx, client.ObjectKeyFromObject(o), o))
}

func contains(all, some []string) bool {
	return !slices.ContainsFunc(some, func(one string) bool { return !slices.Contains(all, one) })
}

// inOrder looks at what became of the children.
func (p *place) inOrder(yours *children, told []string) error {
	if slices.Contains(told, "web-9 is being deleted") {
		if yours.known.waits {
			return wrong("16.3", "web-9 is nobody's child, and your Run has deleted it")
		}
		unwritten(p.lab, 2, "16.3", "web-9 is nobody's child, and your Run has deleted it")
		return nil
	}
	want := []string{}
	for n := 2; n >= 0; n-- {
		want = append(want, fmt.Sprintf("web-%d is being deleted", n), fmt.Sprintf("web-%d is gone", n))
	}
	switch {
	case slices.Equal(told, want):
		p.lab.Conclude("Each child was gone before the next one was deleted, and web-9 has nothing to do with it.")
	case !yours.known.waits:
		unwritten(p.lab, 2, "16.3", "your Run has not waited for a child that is being deleted")
	default:
		return wrong("16.3", "what happened: %s\nwhat should have: %s", strings.Join(told, ", "),
			strings.Join(want, ", "))
	}
	return nil
}

// leavesThem deletes a set of two, whose children are to live on.
func (p *place) leavesThem(ctx context.Context) error {
	if err := p.collector(ctx); err != nil {
		return err
	}
	set, err := p.set(ctx, "db", 2)
	if err != nil {
		return err
	}
	if err := p.CollectorSees(ctx); err != nil {
		return err
	}
	p.lab.Say("Somebody deletes the set db with --cascade=orphan.")
	if err := p.User.Delete(ctx, set, client.PropagationPolicy(metav1.DeletePropagationOrphan)); err != nil {
		return err
	}
	if err := p.until(ctx, func() bool { return p.isGone(ctx, set) }); err != nil {
		return wrong("16.3", "the set db should go: %v\nits finalizers are %v", err, set.Finalizers)
	}
	left, err := p.children(ctx, "db")
	if err != nil {
		return err
	}
	alive := 0
	for _, c := range left {
		if c.DeletionTimestamp == nil {
			alive++
		}
	}
	if alive != 2 {
		return wrong("16.3", "the set db was deleted without its two children, and %d of them live on", alive)
	}
	p.lab.Conclude("The set db is gone, and db-0 and db-1 run: your Run has left them to nobody.")
	return nil
}

// collector waits until the garbage collector knows what sets are: it takes the references off.
func (p *place) collector(ctx context.Context) error {
	defer time.AfterFunc(2*time.Second, func() {
		p.lab.Say("The garbage collector looks for new kinds every 30 seconds: waiting until it knows " +
			"ProcessSets, up to half a minute.")
	}).Stop()
	return p.AwaitCollector(ctx)
}
