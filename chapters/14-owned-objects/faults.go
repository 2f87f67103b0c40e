package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// generateName is -fault generate-name: one too many is made, and the one that is used is deleted.
func (t *tour) generateName(ctx context.Context, l *lab.Lab) error {
	way := scenario.Way{Parts: func() owned.Parts {
		return owned.Parts{Generated: true, Memory: owned.Nothing{}, Rank: oldestFirst}
	}}
	tally := scenario.NewTally(0)
	o := scenario.Options{Way: way, Tally: tally, Shown: onlyChildren(l)}
	err := t.under(ctx, l, o, func(w *scenario.World, s *scenario.Site) error {
		set := scenario.Set(l.Namespace, "datacenter", 1)
		s.Close()
		if err := s.Rest(ctx, func() error { return w.User.Create(ctx, set) }); err != nil {
			return err
		}
		all, err := children(ctx, w, set)
		if err != nil {
			return err
		}
		used := all[0]
		patch := client.RawPatch(types.MergePatchType, []byte(`{"status":{"phase":"Running"}}`))
		if err := w.User.Status().Patch(ctx, &used, patch); err != nil {
			return err
		}
		l.Became("the first child is used")
		if err := s.Rest(ctx, func() error { return w.Edit(ctx, set, 1) }); err != nil {
			return err
		}
		l.Became("the set was edited, and has %d children; the watch goes on", tally.Made())
		s.Open()
		if err := scenario.Until(ctx, func() bool {
			all, err = children(ctx, w, set)
			return err == nil && len(all) == 1 && s.Rests()
		}); err != nil {
			return err
		}
		if all[0].UID == used.UID {
			l.Became("the second one is deleted")
		} else {
			l.Became("the first one is deleted, which was used")
		}
		return w.Clear(ctx, set)
	})
	l.Conclude("Two wrongs: the cache did not show the first child when the second was made, and then one of two had to go. With " +
		"a name that is computed the second create is refused, 409 AlreadyExists, which is how the controller learns that it " +
		"is late.")
	return err
}

// oldestFirst ranks what has served longest first.
func oldestFirst(all []*v1alpha1.Process) {
	slices.SortFunc(all, func(a, b *v1alpha1.Process) int {
		if n := a.CreationTimestamp.Compare(b.CreationTimestamp.Time); n != 0 {
			return n
		}
		return strings.Compare(string(b.Status.Phase), string(a.Status.Phase)) // within a second: what runs is older
	})
}

// lostAnswer is -fault lost-answer.
func (t *tour) lostAnswer(ctx context.Context, l *lab.Lab) error {
	return t.compared(ctx, l, scenario.Trouble{Controllers: 1, Lose: 2},
		"A create whose answer is lost counts as one that has failed, so that nothing is expected, and one too many is made. "+
			"A name that is computed makes the second try the same as the first.")
}

// twoControllers is -fault two-controllers.
func (t *tour) twoControllers(ctx context.Context, l *lab.Lab) error {
	return t.compared(ctx, l, scenario.Trouble{Controllers: 2}, "Each remembers what it has done itself. What two "+
		"programs agree on without a word is a name that both compute.")
}

// compared plays a trouble to expectations and to names.
func (t *tour) compared(ctx context.Context, l *lab.Lab, trouble scenario.Trouble, follows string) error {
	w, err := t.begin(ctx, l)
	if err != nil {
		return err
	}
	for _, n := range []int{2, 1} {
		way := scenario.Ways()[n]
		l.Say("%s:", strings.ToUpper(way.Name[:1])+way.Name[1:])
		trouble.Name, trouble.Want = "played", 2
		trouble.Shown, trouble.Edits = onlyChildren(l), 1
		f, err := w.Play(ctx, way, trouble, t.parts)
		if err != nil {
			return err
		}
		l.Became("2 were wanted, and %d were alive at one time", f.Most)
	}
	l.Conclude("%s", follows)
	return nil
}

// staleAdoption is -fault stale-adoption.
func (t *tour) staleAdoption(ctx context.Context, l *lab.Lab) error {
	trusting := scenario.Way{Parts: func() owned.Parts {
		p := owned.Ours()
		p.Trusting = true
		return p
	}}
	if err := t.orphaned(ctx, l, trusting, "lost"); err != nil {
		return err
	}
	l.Conclude("The Processes were to stay. The controller has adopted them for a set that was gone, and so the garbage collector " +
		"has found them with an owner that does not exist.")
	return nil
}

// foreground is -fault foreground. Each child takes its time to end, as a process does: without that the garbage
// collector may find the set without children for a moment, and let it go.
func (t *tour) foreground(ctx context.Context, l *lab.Lab) error {
	if err := t.collector(ctx, l); err != nil {
		return err
	}
	way := scenario.Way{Parts: func() owned.Parts {
		p := owned.Ours()
		p.Unguarded = true
		return p
	}}
	set, tally := scenario.Set(l.Namespace, "going", 1), scenario.NewTally(0)
	defer t.free(ctx, set) // also if it ends in between: what has a finalizer keeps its namespace
	err := t.under(ctx, l, scenario.Options{Way: way, Tally: tally}, func(w *scenario.World, s *scenario.Site) error {
		if err := w.User.Create(ctx, set); err != nil {
			return err
		}
		if err := settled(ctx, w, s, set, 1); err != nil {
			return err
		}
		if err := w.CollectorSees(ctx); err != nil {
			return err
		}
		all, err := children(ctx, w, set)
		if err != nil {
			return err
		}
		child := &all[0]
		if err := ends(ctx, w, child, false); err != nil {
			return err
		}
		if err := w.User.Delete(ctx, set, client.PropagationPolicy(metav1.DeletePropagationForeground)); err != nil {
			return err
		}
		l.Say("It is deleted in the foreground: it stays until its Processes are gone. Each of them takes its time to end.")
		for tally.Made() < again {
			if child, err = replaced(ctx, w, set, child); err != nil {
				return err
			}
		}
		l.Became("%d Processes were made; the last one is %s, and the set is still there: %t", tally.Made(), child.Name,
			there(ctx, w, set))
		return nil
	})
	if err != nil {
		return err
	}
	t.free(ctx, set)
	if err := scenario.Until(ctx, func() bool { return !there(ctx, t.world, set) }); err != nil {
		return err
	}
	l.Became("the controller is stopped, and the set goes")
	l.Conclude("The garbage collector deletes each child, and the controller makes the next one when it sees that. So there is " +
		"always one, and the set waits. If the children end at once, there may be none for a moment: then the set goes after " +
		"all, too late.")
	return nil
}

// free lets all children of a set end.
func (t *tour) free(ctx context.Context, set *v1alpha1.ProcessSet) {
	if t.world == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), freeing)
	defer cancel()
	all, _ := children(ctx, t.world, set) // without an API server there is nothing to free
	for i := range all {
		_ = ends(ctx, t.world, &all[i], true)
	}
}

// freeing is how long free may take, when the demo is being ended.
const freeing = 2 * time.Second

// again is how many children -fault foreground waits for.
const again = 5

// replaced waits until a child is being deleted and there is another one, and lets the first one end.
func replaced(ctx context.Context, w *scenario.World, set *v1alpha1.ProcessSet, child *v1alpha1.Process) (
	next *v1alpha1.Process, err error) {
	for next == nil {
		if err := scenario.Until(ctx, func() bool {
			all, err := children(ctx, w, set)
			for i := range all {
				if err == nil && all[i].UID != child.UID && all[i].DeletionTimestamp == nil {
					next = &all[i]
				}
			}
			return next != nil
		}); err != nil {
			return nil, err
		}
		if err := ends(ctx, w, next, false); apierrors.IsNotFound(err) || apierrors.IsInvalid(err) {
			next = nil // it has ended meanwhile, or is about to
		} else if err != nil {
			return nil, err
		}
	}
	return next, ends(ctx, w, child, true)
}

// ends lets a Process that is deleted end, or keeps it until later.
func ends(ctx context.Context, w *scenario.World, p *v1alpha1.Process, lets bool) error {
	finalizers := `["scratch.example.com/stop"]`
	if lets {
		finalizers = "null"
	}
	patch := client.RawPatch(types.MergePatchType, fmt.Appendf(nil, `{"metadata":{"finalizers":%s}}`, finalizers))
	err := w.User.Patch(ctx, p.DeepCopy(), patch)
	if lets {
		return client.IgnoreNotFound(err)
	}
	return err
}

// namesake is -fault namesake.
func (t *tour) namesake(ctx context.Context, l *lab.Lab) error {
	if err := t.collector(ctx, l); err != nil {
		return err
	}
	w, err := t.begin(ctx, l)
	if err != nil {
		return err
	}
	rows := [][]string{{"", "what it says", "the Process is controlled by"}}
	for _, taker := range []string{"SetControllerReference", "Claim"} {
		for done := false; !done; { // again if the garbage collector was quicker
			said, whose, err := taken(ctx, w, l.Namespace, taker)
			if done = !apierrors.IsNotFound(err); done && err != nil {
				return err
			}
			if done {
				rows = append(rows, []string{taker, said, whose})
			}
		}
	}
	l.Table(rows...)
	l.Conclude("SetControllerReference compares the group, the kind and the name of an owner, and not its UID: so the new set takes " +
		"over a Process that was made from the old one's template. Claim compares the UID and leaves the Process to the garbage " +
		"collector, and the set makes its own.")
	return nil
}

// taken has a new set meet the child of its predecessor.
func taken(ctx context.Context, w *scenario.World, namespace, by string) (said, whose string, err error) {
	old := scenario.Set(namespace, "twin", 0)
	if err := w.User.Create(ctx, old); err != nil {
		return "", "", err
	}
	child := owned.Child(old, "twin-0")
	if err := w.User.Create(ctx, child); err != nil {
		return "", "", err
	}
	if err := w.User.Delete(ctx, old); err != nil {
		return "", "", err
	}
	set := scenario.Set(namespace, "twin", 0)
	if err := w.User.Create(ctx, set); err != nil {
		return "", "", err
	}
	defer func() {
		if cleared := w.Clear(ctx, set); err == nil {
			err = cleared
		}
	}()
	said = "nothing"
	if by == "Claim" {
		mine, err := owned.Claim(ctx, set, []v1alpha1.Process{*child}, w.User, w.User)
		if err != nil {
			return "", "", err
		}
		said = fmt.Sprintf("%d are mine", len(mine))
	} else {
		if err := controllerutil.SetControllerReference(set, child, w.User.Scheme()); err != nil {
			said = err.Error()
		}
		if err := w.User.Update(ctx, child); err != nil {
			return "", "", err
		}
	}
	switch metav1.GetControllerOf(child).UID {
	case set.UID:
		return said, "the new set", nil
	case old.UID:
		return said, "the old set, which is gone", nil
	}
	return said, "somebody else", nil
}
