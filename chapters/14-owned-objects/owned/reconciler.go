package owned

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
)

// Reconciler makes as many children of a set as it asks for, and says in its status how many there are. It saves what a
// run has changed of the set by chapter 12's Base: the status first, and each write with a lock.
type Reconciler struct {
	Parts

	over    client.Client // reads from the cache
	live    Reader        // reads from the API server
	numbers Numbers
	base    reconcile.Reconciler
}

// New makes one over a client, and over a reader that is live.
func New(over client.Client, live Reader, parts Parts) *Reconciler {
	r := &Reconciler{Parts: parts, over: over, live: live}
	base := writes.New(over, r.run)
	base.Saves = func(ctx context.Context, w writes.Writer, before, after client.Object) error {
		err := writes.Save(ctx, w, before, after)
		if set, ok := after.(*v1alpha1.ProcessSet); ok && after.GetResourceVersion() != before.GetResourceVersion() {
			r.Memory.Saved(set)
		}
		return err
	}
	r.base = base
	return r
}

// Reconcile implements reconcile.Reconciler.
func (r *Reconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	return r.base.Reconcile(ctx, request)
}

// run is one, for a set that Base has read and will save.
func (r *Reconciler) run(ctx context.Context, set *v1alpha1.ProcessSet) (result reconcile.Result, err error) {
	if set.DeletionTimestamp == nil && r.May != nil && !r.May(set) { // yet: its next change leads to the next run
		return result, nil
	}
	late, until, err := r.Memory.Late(set.UID) // before the children are read
	if err != nil {
		return result, err
	}
	all, next, err := r.read(ctx, set)
	if err != nil {
		return result, err
	}
	adopter := r.live
	if r.Trusting {
		adopter = nil
	}
	mine, err := Claim(ctx, set, all, adopter, r.over)
	if err != nil {
		return result, err
	}
	alive := withoutGoing(mine)
	if late {
		result.RequeueAfter = until
	} else if set.DeletionTimestamp == nil || r.Unguarded {
		err = r.manage(ctx, set, all, alive, next)
	}
	r.describe(set, alive, err)
	r.count(set)
	return result, err
}

// read returns the Processes of the set's namespace, and the first number that none of its children has had. They come
// from the cache, unless that can't be right: the set may say that numbers were used which the cache has not shown.
// Then another controller has seen more, since two watches are not equally late, or those children are gone since
// before this controller began, and the API server is asked.
//
// The number is read first. A child that is shown after the list was read raises it, and is not in the list: a run that
// counts by this list and begins at that number makes one too many.
func (r *Reconciler) read(ctx context.Context, set *v1alpha1.ProcessSet) ([]v1alpha1.Process, int, error) {
	shown := r.numbers.Next(set.UID)
	from, behind := Reader(r.over), Next(set) > shown
	if r.Live || behind && !r.Generated {
		from = r.live
	}
	var all v1alpha1.ProcessList
	if err := from.List(ctx, &all, client.InNamespace(set.Namespace)); err != nil {
		return nil, 0, fmt.Errorf("list the Processes of %s: %w", set.Namespace, err)
	}
	// A cache has no order, and a status with names in another order each time would be another status.
	slices.SortFunc(all.Items, func(a, b v1alpha1.Process) int { return strings.Compare(a.Name, b.Name) })
	return all.Items, max(Next(set), shown), nil
}

// count notes in the set how far the numbers have come.
func (r *Reconciler) count(set *v1alpha1.ProcessSet) {
	if next := r.numbers.Next(set.UID); !r.Generated && next > Next(set) {
		if set.Annotations == nil {
			set.Annotations = map[string]string{}
		}
		set.Annotations[NextNumber] = strconv.Itoa(next)
	}
}

// withoutGoing leaves out what is being deleted: it still has its name, and no future.
func withoutGoing(all []*v1alpha1.Process) (alive []*v1alpha1.Process) {
	for _, p := range all {
		if p.DeletionTimestamp == nil {
			alive = append(alive, p)
		}
	}
	return alive
}

// manage makes what is missing, or deletes what is too much.
func (r *Reconciler) manage(ctx context.Context, set *v1alpha1.ProcessSet, all []v1alpha1.Process,
	alive []*v1alpha1.Process, next int) error {
	missing := Wanted(set) - len(alive)
	if missing < 0 {
		return r.remove(ctx, set, alive, -missing)
	}
	taken := map[string]bool{}
	for i := range all {
		taken[all[i].Name] = true
	}
	for ; missing > 0; missing-- {
		if r.Generated {
			if err := r.create(ctx, set, ""); err != nil {
				return err
			}
			continue
		}
		for made := false; !made; next++ {
			name := Name(set.Name, next)
			if taken[name] { // by somebody else: a child of this set has raised next
				continue
			}
			var err error
			if made, err = r.createNamed(ctx, set, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// Wanted is how many children a set wants.
func Wanted(set *v1alpha1.ProcessSet) int { return int(ptr.Deref(set.Spec.Replicas, 1)) }

// createNamed creates a child, and says whether the set has one of that name now. If something of the name exists, the
// API server knows whose it is: the set's, when the cache is late or an answer got lost, or else it is not to be
// counted.
func (r *Reconciler) createNamed(ctx context.Context, set *v1alpha1.ProcessSet, name string) (bool, error) {
	err := r.create(ctx, set, name)
	if !apierrors.IsAlreadyExists(err) {
		return err == nil, err
	}
	var there v1alpha1.Process
	err = r.live.Get(ctx, client.ObjectKey{Namespace: set.Namespace, Name: name}, &there)
	if apierrors.IsNotFound(err) {
		return false, nil // gone meanwhile, and its number with it
	}
	return metav1.IsControlledBy(&there, set) && there.DeletionTimestamp == nil, err
}

// create creates a child. It stops at the first failure: what refuses one would refuse all, and the next run comes
// later after each.
func (r *Reconciler) create(ctx context.Context, set *v1alpha1.ProcessSet, name string) error {
	child := Child(set, name)
	r.Memory.Creating(set.UID, name)
	err := r.over.Create(ctx, child)
	r.Memory.Created(set.UID, child, err)
	if err != nil {
		return fmt.Errorf("create a Process of %s: %w", set.Name, err)
	}
	return nil
}

// Child is a child of a set as it is created. Without a name the API server thinks of one.
func Child(set *v1alpha1.ProcessSet, name string) *v1alpha1.Process {
	template := set.Spec.Template.DeepCopy()
	child := &v1alpha1.Process{
		ObjectMeta: metav1.ObjectMeta{Namespace: set.Namespace, Name: name, Labels: template.Labels,
			Annotations:     template.Annotations,
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(set, Kind)}},
		Spec: template.Spec,
	}
	if name == "" {
		child.GenerateName = set.Name + "-"
	}
	return child
}

// remove deletes so many children. Each deletion names the UID, so that another object of the name is not meant. One
// that is refused does not keep the others.
func (r *Reconciler) remove(ctx context.Context, set *v1alpha1.ProcessSet, alive []*v1alpha1.Process, many int) error {
	r.Rank(alive)
	var failed []error
	for _, child := range alive[:many] {
		r.Memory.Deleting(set.UID, child.UID)
		err := r.over.Delete(ctx, child, client.Preconditions{UID: &child.UID})
		r.Memory.Deleted(set.UID, child.UID, err)
		if client.IgnoreNotFound(err) != nil {
			failed = append(failed, fmt.Errorf("delete %s: %w", child.Name, err))
		}
	}
	return errors.Join(failed...)
}
