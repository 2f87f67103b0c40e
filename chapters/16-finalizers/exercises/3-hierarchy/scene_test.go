package hierarchy_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/exercises/3-hierarchy"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The set of most scenes: a name and a UID. It is being deleted.
const set = "web/1"

// What the API server answers with.
var (
	processes = schema.GroupResource{Group: "scratch.example.com", Resource: "processes"}
	down      = apierrors.NewServiceUnavailable("no leader")
	deleted   = metav1.NewTime(time.Date(2026, 8, 26, 0, 0, 0, 0, time.UTC))
)

// A scene is what there is. Objects are written as words; those of the set have only a name:
//
//	web-2
//	web-2: being deleted
//	db-5: controlled by db/5, owned by web/1
//	web-2: new UID, controlled by db/5         made anew under the name
//	web-2: changed, no owner                   another resourceVersion
type scene struct {
	set        string           // its name, if it is not the usual one
	finalizers string           // of the set, with commas, beside that of its controller
	children   []string         // as the API server has them
	listed     []string         // as List has shown them, if they have changed since
	lists      error            // what List fails with
	fails      map[string]error // what a Delete fails with, by the child's name

	lock    sync.Mutex
	deletes []string // whose Delete was answered well
	refused []string // whose Delete was not
}

// about has beliefs, by what came of a run: "deletes web-1, returns false".
type about map[string]string

func words(text string) (name string, parts []string) {
	name, rest, _ := strings.Cut(text, ": ")
	return name, strings.Split(rest, ", ")
}

// child makes one of its words.
func child(text string) metav1.PartialObjectMetadata {
	name, parts := words(text)
	c := metav1.PartialObjectMetadata{
		TypeMeta: metav1.TypeMeta{APIVersion: "scratch.example.com/v1alpha1", Kind: "Process"}}
	c.Namespace, c.Name, c.UID, c.ResourceVersion = "shop", name, types.UID("of-"+name), "812"
	c.Labels = map[string]string{"app": "web"}
	c.CreationTimestamp = metav1.NewTime(deleted.Add(-time.Duration(len(name)) * time.Hour))
	c.Finalizers = []string{"scratch.example.com/machine.a"}
	refers := false
	for _, part := range parts {
		if whom, ok := strings.CutPrefix(part, "controlled by "); ok {
			c.OwnerReferences, refers = append(c.OwnerReferences, reference(whom, true)), true
		} else if whom, ok := strings.CutPrefix(part, "owned by "); ok {
			c.OwnerReferences, refers = append(c.OwnerReferences, reference(whom, false)), true
		}
		switch part {
		case "no owner":
			refers = true
		case "being deleted":
			c.DeletionTimestamp = deleted.DeepCopy()
		case "created last":
			c.CreationTimestamp = deleted
		case "new UID":
			c.UID, c.ResourceVersion = "new", "900"
		case "changed":
			c.ResourceVersion = "901"
		}
	}
	if !refers {
		c.OwnerReferences = []metav1.OwnerReference{reference(set, true)}
	}
	return c
}

func owner(text string) *metav1.PartialObjectMetadata {
	o := &metav1.PartialObjectMetadata{
		TypeMeta: metav1.TypeMeta{APIVersion: "scratch.example.com/v1alpha1", Kind: "ProcessSet"}}
	name, uid, _ := strings.Cut(text, "/")
	o.Namespace, o.Name, o.UID = "shop", name, types.UID(uid)
	return o
}

// reference makes one. Those that are no controllers differ in what they say about that: nothing, or false.
func reference(whom string, controls bool) metav1.OwnerReference {
	o := owner(whom)
	r := *metav1.NewControllerRef(o, o.GroupVersionKind())
	if !controls {
		r.Controller, r.BlockOwnerDeletion = nil, nil
		if len(o.Name)%2 == 1 {
			r.Controller = new(bool)
		}
	}
	return r
}

// theSet is the one that is being deleted.
func (s *scene) theSet() *metav1.PartialObjectMetadata {
	o := owner(set)
	if s.set != "" {
		o.Name = s.set
	}
	o.DeletionTimestamp, o.Finalizers = deleted.DeepCopy(), []string{"scratch.example.com/children"}
	if s.finalizers != "" {
		o.Finalizers = append(o.Finalizers, strings.Split(s.finalizers, ", ")...)
	}
	return o
}

// List implements [Children].
func (s *scene) List(ctx context.Context) (all []metav1.PartialObjectMetadata, err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	shown := s.children
	if s.listed != nil {
		shown = s.listed
	}
	for _, text := range shown {
		all = append(all, child(text))
	}
	return all, errors.Join(ctx.Err(), s.lists)
}

// Delete implements [Children].
func (s *scene) Delete(ctx context.Context, name string, only metav1.Preconditions) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	err := s.answer(ctx, name, only)
	if err != nil {
		s.refused = append(s.refused, name)
	} else {
		s.deletes = append(s.deletes, name)
	}
	return err
}

// answer does what is asked, or says why not. The lock is held.
func (s *scene) answer(ctx context.Context, name string, only metav1.Preconditions) error {
	if err := errors.Join(ctx.Err(), s.fails[name]); err != nil {
		return err
	}
	i := slices.IndexFunc(s.children, func(text string) bool { n, _ := words(text); return n == name })
	if i < 0 {
		return apierrors.NewNotFound(processes, name)
	}
	is := child(s.children[i])
	if only.UID != nil && *only.UID != is.UID ||
		only.ResourceVersion != nil && *only.ResourceVersion != is.ResourceVersion {
		return apierrors.NewConflict(processes, name, fmt.Errorf("a precondition failed"))
	}
	if is.DeletionTimestamp == nil {
		s.children = slices.Clone(s.children)
		s.children[i] = strings.Replace(s.children[i]+", being deleted", name+", ", name+": ", 1)
	}
	return nil
}

// run makes one run, and says what came of it: "deletes web-2, returns false".
func (s *scene) run(ctx context.Context) (told string, err error) { return s.runOn(ctx, s.theSet()) }

func (s *scene) runOn(ctx context.Context, set *metav1.PartialObjectMetadata) (told string, err error) {
	s.deletes, s.refused = nil, nil
	done, err := Run(ctx, s, set)
	s.lock.Lock()
	defer s.lock.Unlock()
	told = fmt.Sprintf("deletes %s, returns %v", list(s.deletes), done)
	if err != nil {
		told += " and an error"
	}
	return told, err
}

func list(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, " and ")
}

// is expects one of these to come of a run: "deletes web-2, returns false".
func (s *scene) is(t *testing.T, want string, beliefs about, or ...string) error {
	t.Helper()
	before := s.told()
	got, err := s.run(t.Context())
	expected, happened := want, got
	if len(or) > 0 {
		expected += ", or " + or[0]
	}
	belief := beliefs[got]
	if len(s.refused) > 0 {
		happened += "; refused: Delete of " + list(s.refused)
		if more, ok := beliefs[happened]; ok {
			belief = more
		}
	}
	if err != nil && !strings.Contains(want, "an error") {
		happened += fmt.Sprintf(" (%.60q)", err)
	}
	exercise.Expect(t, got == want || slices.Contains(or, got), exercise.Verdict{
		Expected: before + "Run " + expected, Happened: "it " + happened, PointsTo: belief,
	})
	return err
}

// told is a scene as words.
func (s *scene) told() string {
	var text string
	if s.set != "" {
		text = "the set is " + s.set + "; "
	}
	if s.finalizers != "" {
		text += fmt.Sprintf("the set has the finalizer %s; ", s.finalizers)
	}
	shown := s.children
	if s.listed != nil {
		shown = s.listed
	}
	if s.lists != nil {
		text += fmt.Sprintf("List fails: %q; ", s.lists)
	} else {
		text += "List shows " + objects(shown, "no child") + "; "
	}
	if s.listed != nil {
		text += "by now there is " + objects(s.children, "none") + "; "
	}
	for name, err := range s.fails {
		text += fmt.Sprintf("Delete of %s fails: %q; ", name, err)
	}
	return text
}

func objects(all []string, none string) string {
	var told []string
	for _, text := range all {
		name, rest, more := strings.Cut(text, ": ")
		if more {
			name += " (" + rest + ")"
		}
		told = append(told, name)
	}
	if len(told) == 0 {
		return none
	}
	return strings.Join(told, ", ")
}

// ends has run after run, and what is being deleted go after each, until one returns true. It returns who was deleted.
func (s *scene) ends(t *testing.T) (order []string) {
	t.Helper()
	for range 30 {
		done, err := Run(t.Context(), s, s.theSet())
		order = append(order, s.deletes...)
		s.deletes = nil
		s.children = slices.DeleteFunc(s.children, func(text string) bool {
			return strings.HasSuffix(text, "being deleted")
		})
		if done || err != nil {
			break
		}
	}
	return order
}
