package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	claim "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/exercises/3-claim"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// selected are the labels that the set web selects.
var selected = map[string]string{"app": "web"}

// claim is step 3: Processes that are the set's, another's and nobody's, and then a set that was made anew.
func (r run) claim(ctx context.Context, l *lab.Lab) error {
	s, err := newNursery(ctx, l)
	if err != nil {
		return err
	}
	old, err := s.Live(ctx)
	if err != nil {
		return err
	}
	unwritten, err := r.claimed(ctx, l, s, old)
	if err != nil {
		return err
	}
	if unwritten != "" {
		l.Conclude("%s", unwritten)
		return nil
	}
	l.Say("The set is deleted with --cascade=orphan, and made anew. Your Claim is handed the old one, as a late " +
		"cache has it. The garbage collector looks for new kinds every thirty seconds, so this may take as long.")
	if err := s.again(ctx, old); err != nil {
		return err
	}
	if err := r.refused(ctx, l, s, old); err != nil {
		return err
	}
	fresh, err := s.Live(ctx)
	if err != nil {
		return err
	}
	l.Say("The cache has come as far, and your Claim is handed the new set.")
	if unwritten, err = r.claimed(ctx, l, s, fresh); err == nil && unwritten != "" {
		err = wrong("14.3", "the new set should adopt the orphans of the old one")
	}
	if err != nil {
		return err
	}
	l.Conclude("The labels say what a set may have, the UID in a reference says what it has, and only the API " +
		"server says whether there is such a set.")
	return nil
}

// right is whose the children should be after a run, in the order of their names.
var right = []struct {
	name, owners string
	mine         bool
}{
	{"orphan", "config, web", true},
	{"relabelled", "-", false},
	{"stranger", "db", false},
	{"web-0", "web", true},
}

// later are the owners that a child keeps as long as a stage is still to be written.
var later = map[string]string{
	"relabelled, web": "Stage 2 of 14.3 is still to be written: relabelled has the set as its owner, as before.",
	"orphan, config":  "Stage 3 of 14.3 is still to be written: orphan has no controller, as before.",
}

// claimed has the reader's Claim look at all children, and compares what comes of it with what should. It says which
// stage is still to be written.
func (r run) claimed(ctx context.Context, l *lab.Lab, s *nursery, set *metav1.PartialObjectMetadata) (
	unwritten string, err error) {
	before, err := s.children(ctx)
	if err != nil {
		return "", err
	}
	mine, failure := r.call(ctx, s, set, before)
	after, err := s.children(ctx)
	if err != nil {
		return "", err
	}
	rows := [][]string{{"Process", "label", "owners before", "owners after", "the set's"}}
	fault := error(nil)
	for _, w := range right {
		was, is := before[w.name], after[w.name]
		if was == nil || is == nil {
			return "", fmt.Errorf("the Process %s is gone", w.name)
		}
		said := slices.Contains(mine, w.name)
		rows = append(rows, []string{w.name, "app=" + is.Labels["app"], owners(was), owners(is), yes(said)})
		stage := later[w.name+", "+owners(is)]
		switch {
		case fault != nil:
		case stage != "" && owners(was) == owners(is) && !said:
			unwritten = stage // relabelled comes after orphan
		case owners(is) != w.owners:
			fault = wrong("14.3", "the owners of %s should be %s, and are %s", w.name, w.owners, owners(is))
		case said != w.mine:
			fault = wrong("14.3", "Claim should return %s: %s. It says %s", w.name, yes(w.mine), yes(said))
		}
	}
	l.Table(rows...)
	if fault == nil && failure != nil {
		fault = wrong("14.3", "Claim should return no error, and returns %q", failure)
	}
	return unwritten, fault
}

// refused has Claim look with a set that is no more: nobody is to be adopted.
func (r run) refused(ctx context.Context, l *lab.Lab, s *nursery, old *metav1.PartialObjectMetadata) error {
	before, err := s.children(ctx)
	if err != nil {
		return err
	}
	mine, failure := r.call(ctx, s, old, before)
	for _, w := range right {
		if before[w.name] == nil {
			return fmt.Errorf("the Process %s is gone", w.name)
		}
		now := &metav1.PartialObjectMetadata{}
		now.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Process"))
		err := s.Get(ctx, client.ObjectKey{Namespace: s.lab.Namespace, Name: w.name}, now)
		if err != nil && !apierrors.IsNotFound(err) {
			return err
		}
		is := owners(now)
		if err != nil {
			is = "none, since the garbage collector has deleted it"
		}
		if was := owners(before[w.name]); is != was {
			return wrong("14.3", "the set with the UID %s is gone, and your Claim has adopted %s for it\n"+
				"the garbage collector deletes what has no other owner: its owners were %s, and are %s", old.UID[:8],
				w.name, was, is)
		}
	}
	if failure == nil || len(mine) > 0 {
		return wrong("14.3", "the set with the UID %s is gone, and Claim returns %v and the error %v\n"+
			"it should return no child, and an error", old.UID[:8], mine, failure)
	}
	l.Became("your Claim has adopted nobody, and says:")
	for line := range strings.Lines(failure.Error()) {
		l.WireWhole(strings.TrimSpace(line))
	}
	return nil
}

// call calls Claim, and returns the names.
func (r run) call(ctx context.Context, s *nursery, set *metav1.PartialObjectMetadata,
	children map[string]*metav1.PartialObjectMetadata) (names []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.patience)
	defer cancel()
	mine, err := claim.Claim(ctx, s, set, labels.SelectorFromSet(selected),
		slices.Collect(maps.Values(children)))
	for _, child := range mine {
		names = append(names, child.Name)
	}
	return names, err
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}
