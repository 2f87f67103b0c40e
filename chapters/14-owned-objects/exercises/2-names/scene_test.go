package names_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/exercises/2-names"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// web is the set of most tests.
var web = Owner{Name: "web", UID: "uid-of-web"}

// clues are beliefs, by what comes of them: names with commas, or "an error".
type clues map[string]string

// An option changes a child.
type option func(*metav1.PartialObjectMetadata)

// object is one whose controller is the set web, unless an option says something else.
func object(name string, options ...option) *metav1.PartialObjectMetadata {
	made := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: name,
		OwnerReferences: []metav1.OwnerReference{reference(web, true)}}}
	for _, o := range options {
		o(made)
	}
	return made
}

func reference(to Owner, controls bool) metav1.OwnerReference {
	return metav1.OwnerReference{APIVersion: "scratch.example.com/v1alpha1", Kind: "ProcessSet", Name: to.Name,
		UID: to.UID, Controller: &controls}
}

// deleted is an object that is being deleted, and waits for a finalizer.
func deleted(o *metav1.PartialObjectMetadata) {
	now := metav1.Now()
	o.DeletionTimestamp, o.Finalizers = &now, []string{"example.com/wait"}
}

// owners are the references that an object has.
func owners(all ...metav1.OwnerReference) option {
	return func(o *metav1.PartialObjectMetadata) { o.OwnerReferences = all }
}

// objects are those of the set web with these names. A name with a cross is being deleted: web-2†.
func objects(names ...string) []*metav1.PartialObjectMetadata {
	var all []*metav1.PartialObjectMetadata
	for _, name := range names {
		if alive, dies := strings.CutSuffix(name, "†"); dies {
			all = append(all, object(alive, deleted))
		} else {
			all = append(all, object(name))
		}
	}
	return all
}

// list is names as a verdict shows them.
func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// shows is what the cache has of a set's children.
func shows(children []*metav1.PartialObjectMetadata) string {
	var names []string
	for _, child := range children {
		name := child.Name
		if child.DeletionTimestamp != nil {
			name += " (being deleted)"
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return "the cache shows no children"
	}
	return "the cache shows " + list(names)
}

// next expects names for n more children.
func next(t *testing.T, owner Owner, children []*metav1.PartialObjectMetadata, n int, want string, about clues) {
	t.Helper()
	got := list(Next(owner, children, n))
	set := "the set " + owner.Name
	if owner.Unused > 0 {
		set += fmt.Sprintf(" has Unused %d", owner.Unused)
	}
	exercise.Expect(t, got == want, exercise.Verdict{
		Expected: fmt.Sprintf("%s, %s: Next for %d more returns %s", set, shows(children), n, want),
		Happened: "it returned " + got,
		PointsTo: about[got],
	})
}

// patience is how many calls a server answers. None of the tests needs a tenth of them.
const patience = 300

// A server has objects by name. It is what a Create of web's children talks to.
type server struct {
	mu      sync.Mutex
	objects map[string]*metav1.PartialObjectMetadata
	made    []string                // what was created, in order
	refused map[string]func() error // what the first Create of a name does instead
	broken  map[string]error        // each Get of a name fails so
	calls   int
}

func serving(all ...*metav1.PartialObjectMetadata) *server {
	s := &server{objects: map[string]*metav1.PartialObjectMetadata{},
		refused: map[string]func() error{}, broken: map[string]error{}}
	for _, one := range all {
		s.objects[one.Name] = one
	}
	return s
}

// refuse has the first Create of a name fail. Then these objects are there.
func (s *server) refuse(name string, err error, then ...*metav1.PartialObjectMetadata) {
	s.refused[name] = func() error {
		for _, one := range then {
			s.objects[one.Name] = one
		}
		return err
	}
}

var (
	processes    = schema.GroupResource{Group: "scratch.example.com", Resource: "processes"}
	errImpatient = errors.New("the server has answered enough")
)

func exists(name string) error { return apierrors.NewAlreadyExists(processes, name) }

// count ends what never ends.
func (s *server) count(ctx context.Context) error {
	if s.calls++; s.calls > patience {
		return errImpatient
	}
	return ctx.Err()
}

// Create implements Server.
func (s *server) Create(ctx context.Context, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.count(ctx); err != nil {
		return err
	}
	if instead := s.refused[name]; instead != nil {
		delete(s.refused, name)
		return instead()
	}
	if s.objects[name] != nil {
		return exists(name)
	}
	s.objects[name], s.made = object(name), append(s.made, name)
	return nil
}

// Get implements Server.
func (s *server) Get(ctx context.Context, name string) (*metav1.PartialObjectMetadata, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.count(ctx); err != nil {
		return nil, err
	}
	if err := s.broken[name]; err != nil {
		return nil, err
	}
	if there := s.objects[name]; there != nil {
		return there.DeepCopy(), nil
	}
	return nil, apierrors.NewNotFound(processes, name)
}

// A run is what came of a Create.
type run struct {
	story string
	names []string
	made  []string
	err   error
	spun  bool
}

// create calls Create for n children of web. The story says what the server has.
func create(t *testing.T, s *server, children []*metav1.PartialObjectMetadata, n int, story string) run {
	t.Helper()
	s.mu.Lock()
	s.calls, s.made = 0, nil
	s.mu.Unlock()
	names, err := Create(t.Context(), s, web, children, n)
	s.mu.Lock()
	defer s.mu.Unlock()
	return run{story: fmt.Sprintf("%s, %s: Create of %d", shows(children), story, n), names: slices.Clone(names),
		made: slices.Clone(s.made), err: err, spun: s.calls > patience}
}

// happened tells a run.
func (r run) happened() string {
	if r.spun {
		return fmt.Sprintf("it sent more than %d requests, and did not end", patience)
	}
	told := fmt.Sprintf("it made %s, and returned %s", list(r.made), list(r.names))
	if r.err != nil {
		told += fmt.Sprintf(" and the error %q", r.err)
	}
	return told
}

// outcome is a run in short, as clues know it.
func (r run) outcome() string {
	switch {
	case r.spun:
		return "no end"
	case r.err != nil:
		return "an error"
	default:
		return list(r.names)
	}
}

// is expects that a run has made some children, and returned these names without an error.
func (r run) is(t *testing.T, made, names string, about clues) {
	t.Helper()
	good := !r.spun && r.err == nil && list(r.made) == made && list(r.names) == names
	exercise.Expect(t, good, exercise.Verdict{
		Expected: fmt.Sprintf("%s makes %s, and returns %s", r.story, made, names),
		Happened: r.happened(),
		PointsTo: about[r.outcome()],
	})
}

// fails expects that a run has made some children, and returned these names with an error.
func (r run) fails(t *testing.T, want error, made, names string, about clues) {
	t.Helper()
	good := errors.Is(r.err, want) && list(r.made) == made && list(r.names) == names
	exercise.Expect(t, good, exercise.Verdict{
		Expected: fmt.Sprintf("%s makes %s, and returns %s and that error", r.story, made, names),
		Happened: r.happened(),
		PointsTo: about[r.outcome()],
	})
}
