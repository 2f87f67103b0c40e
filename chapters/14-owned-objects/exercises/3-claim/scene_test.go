package claim_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/exercises/3-claim"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The set of all scenes, and what it selects.
const (
	set      = "web/1"
	selected = "app=web"
)

// deleted is when something was.
var deleted = metav1.NewTime(time.Date(2026, 8, 26, 0, 0, 0, 0, time.UTC))

// notFound is what the API server says of what is not there.
var notFound = apierrors.NewNotFound(schema.GroupResource{Group: "scratch.example.com", Resource: "them"}, "it")

// A scene is what the cache has, and what the API server answers. Objects are written as words:
//
//	web/1; being deleted                                 a name and a UID
//	a: app=web; controlled by web/1; owned by config/7
type scene struct {
	set      string // as the cache has it, if it is not the usual one
	live     string // as it is, if that is something else
	liveErr  error
	children []string
	fails    map[string]error // what SetOwners returns, by the child's name

	lock sync.Mutex // guards requests
	// requests are "Live", or what is written: "SetOwners of a: config/7".
	requests []string
}

// outcome is what came of a call.
type outcome struct {
	returned string // "a and b", or "no child"
	writes   string // "SetOwners of a: no owner", with "; " between two, or nothing
	lives    int    // how often Live was called
	err      error
}

// beliefs by what is told as having happened.
type beliefs map[string]string

// object makes one of a set's words.
func object(words string) *metav1.PartialObjectMetadata {
	o := &metav1.PartialObjectMetadata{
		TypeMeta: metav1.TypeMeta{APIVersion: "scratch.example.com/v1alpha1", Kind: "ProcessSet"}}
	o.Namespace = "shop"
	words, isDeleted := strings.CutSuffix(words, "; being deleted")
	if isDeleted {
		o.DeletionTimestamp = deleted.DeepCopy()
	}
	name, uid, _ := strings.Cut(words, "/")
	o.Name, o.UID = name, types.UID(uid)
	return o
}

// child makes one of its words.
func child(words string) *metav1.PartialObjectMetadata {
	c := &metav1.PartialObjectMetadata{
		TypeMeta: metav1.TypeMeta{APIVersion: "scratch.example.com/v1alpha1", Kind: "Process"}}
	name, rest, _ := strings.Cut(words, ": ")
	c.Namespace, c.Name, c.UID, c.ResourceVersion = "shop", name, types.UID("of-"+name), "812"
	for part := range strings.SplitSeq(rest, "; ") {
		if whom, ok := strings.CutPrefix(part, "controlled by "); ok {
			c.OwnerReferences = append(c.OwnerReferences, reference(whom, true))
		} else if whom, ok := strings.CutPrefix(part, "owned by "); ok {
			c.OwnerReferences = append(c.OwnerReferences, reference(whom, false))
		} else if part == "being deleted" {
			c.DeletionTimestamp = deleted.DeepCopy()
		} else {
			key, value, _ := strings.Cut(part, "=")
			c.Labels = map[string]string{key: value}
		}
	}
	return c
}

// reference makes one. Those that are no controllers differ in what they say about that: nothing, or false.
func reference(whom string, controls bool) metav1.OwnerReference {
	o := object(whom)
	r := *metav1.NewControllerRef(o, o.GroupVersionKind())
	if !controls {
		r.Controller, r.BlockOwnerDeletion = nil, nil
		if len(o.UID)%2 == 1 {
			r.Controller = new(bool)
		}
	}
	return r
}

// owners are references as words, in the order of these.
func owners(references []metav1.OwnerReference) string {
	var all []string
	for _, r := range references {
		how := ""
		if r.Controller != nil && *r.Controller {
			how = " as controller"
		}
		if want := object(""); r.APIVersion != want.APIVersion || r.Kind != want.Kind {
			how += fmt.Sprintf(" of the kind %s %s", r.APIVersion, r.Kind)
		}
		all = append(all, fmt.Sprintf("%s/%s%s", r.Name, r.UID, how))
	}
	slices.Sort(all)
	if len(all) == 0 {
		return "no owner"
	}
	return strings.Join(all, " and ")
}

// Live implements [API].
func (s *scene) Live(ctx context.Context) (*metav1.PartialObjectMetadata, error) {
	s.request("Live")
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case s.liveErr != nil:
		return nil, s.liveErr
	}
	return object(or(s.live, or(s.set, set))), nil
}

// SetOwners implements [API].
func (s *scene) SetOwners(ctx context.Context, child *metav1.PartialObjectMetadata,
	references []metav1.OwnerReference) error {
	s.request("SetOwners of " + child.Name + ": " + owners(references))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return s.fails[child.Name]
}

func (s *scene) request(what string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.requests = append(s.requests, what)
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// claim makes one run.
func (s *scene) claim(ctx context.Context) outcome {
	var children []*metav1.PartialObjectMetadata
	for _, words := range s.children {
		children = append(children, child(words))
	}
	return s.run(ctx, object(or(s.set, set)), children)
}

// run is claim with objects that the caller has.
func (s *scene) run(ctx context.Context, set *metav1.PartialObjectMetadata,
	children []*metav1.PartialObjectMetadata) (o outcome) {
	mine, err := Claim(ctx, s, set, labels.SelectorFromSet(labels.Set{"app": "web"}), children)
	var names, writes []string
	for _, child := range mine {
		if child == nil {
			names = append(names, "nil")
			continue
		}
		names = append(names, child.Name)
	}
	slices.Sort(names)
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, request := range s.requests {
		if request == "Live" {
			o.lives++
		} else {
			writes = append(writes, request)
		}
	}
	slices.Sort(writes)
	o.returned, o.writes, o.err = or(strings.Join(names, " and "), "no child"), strings.Join(writes, "; "), err
	return o
}

// told is an outcome as words: "Claim returned a; nothing was written".
func (o outcome) told() string {
	text := "Claim returned " + o.returned
	if o.err != nil {
		text += " and an error"
	}
	return text + "; " + or(o.writes, "nothing was written")
}

// expect compares what comes of a scene with what should: "Claim returned a; nothing was written".
func (s *scene) expect(t *testing.T, want string, about beliefs) outcome {
	t.Helper()
	o := s.claim(t.Context())
	got := o.told()
	happened := got
	if o.err != nil && !strings.Contains(want, "an error") {
		happened += fmt.Sprintf(" (the error: %.80q)", o.err)
	}
	exercise.Expect(t, got == want, exercise.Verdict{
		Expected: s.expected(want), Happened: happened, PointsTo: about[got],
	})
	return o
}

// returns is expect for stage 1: what is written does not matter.
func (s *scene) returns(t *testing.T, want, belief string) {
	t.Helper()
	o := s.claim(t.Context())
	exercise.Expect(t, o.err == nil, exercise.Verdict{
		Expected: s.expected("Claim returned no error"), Happened: fmt.Sprintf("it returned %.80q", o.err)})
	exercise.Expect(t, o.returned == want, exercise.Verdict{
		Expected: s.expected("Claim returned " + want), Happened: "it returned " + o.returned, PointsTo: belief})
}

// expected is a scene as words, and what should come of it.
func (s *scene) expected(want string) string {
	name, rest, _ := strings.Cut(or(s.set, set), ";")
	if rest != "" {
		rest = "," + rest + ","
	}
	text := fmt.Sprintf("the set %s (name/UID)%s selects %s", name, rest, selected)
	if s.live != "" {
		text += "; Live returns " + strings.ReplaceAll(s.live, ";", ",")
	}
	if s.liveErr != nil {
		text += "; Live fails: " + short(s.liveErr)
	}
	for _, words := range s.children {
		name, rest, _ := strings.Cut(words, ": ")
		text += fmt.Sprintf("; %s has %s", name, strings.ReplaceAll(rest, ";", ","))
		if err := s.fails[name]; err != nil {
			text += fmt.Sprintf("; SetOwners of %s fails: %s", name, short(err))
		}
	}
	return text + ". " + strings.Replace(want, "Claim returned", "Claim returns", 1)
}

// short is what matters of an error.
func short(err error) string {
	if apierrors.IsNotFound(err) {
		return "NotFound"
	}
	return fmt.Sprintf("%q", err)
}
