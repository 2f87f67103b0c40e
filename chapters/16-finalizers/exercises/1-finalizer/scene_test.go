package finalizer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/exercises/1-finalizer"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// prefix stands before each key, and is left out where one is told.
const prefix = "example.com/"

// most is how often Run is called before it is said never to rest.
const most = 6

var (
	web       = types.NamespacedName{Namespace: "north", Name: "web"}
	processes = schema.GroupResource{Group: "scratch.example.com", Resource: "processes"}
	errOutage = errors.New("connection refused")
)

// A scene is an API server with one object, and a world.
type scene struct {
	run        func() error
	endContext func()

	o *metav1.PartialObjectMetadata // as the server has it, or nil

	shared bool // Get returns the cache's own object, and not a copy
	shown  *metav1.PartialObjectMetadata
	intact *metav1.PartialObjectMetadata // as shown was when it was shown
	other  string                        // what an object that was shown has become

	versions, uids int
	slow           bool                // Clean is not done
	saysBoth       bool                // the next Clean that fails says that it is done, too
	fails          map[string]error    // what the next call of a method returns
	before         map[string][]string // what somebody else does when a method is called next
	events         []string            // since the last step
	made           int
}

// clues are beliefs, by what came of the last step.
type clues map[string]string

// play takes the steps of a story. A semicolon is between two, and what has to come of one stands behind its colon:
//
//	Create [theirs]               an object that has the key theirs
//	Delete                        somebody deletes it
//	Runs: Patch [ours], Make      Run, and again as long as that has changed the object
//	Run: ...                      Run, once
//	Run, whatever it returns: ... without the error
//	Get fails                     the next call of Get does, or of Patch, Make, Clean
//	Clean fails, and says done    the next Clean returns true beside an error
//	Patch meets a Conflict        the next Patch changes nothing: somebody was faster
//	Clean is not done             from now on
//	Clean is done
//	Add theirs, Remove ours       somebody else changes the keys
//	at Patch: Create []           somebody does so right before the next Patch is carried out, or Clean, or Make
//	the context ends
//
// What comes of a Run: "Patch [ours theirs]" with the keys that the object has then, sorted; "gone" when that was the
// end of it; Make, Clean, the error. The same twice in a row is told once.
func play(t *testing.T, story string, about clues) {
	t.Helper()
	playOn(t, newScene(t), story, about)
}

func newScene(t *testing.T) *scene {
	s := &scene{fails: map[string]error{}, before: map[string][]string{}}
	p := &Protocol{API: s, World: s, Key: prefix + "ours"}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	s.endContext = cancel
	s.run = func() error { return p.Run(ctx, web) }
	return s
}

// playShared is play with a Get that returns what the cache holds, and others read.
func playShared(t *testing.T, story string, about clues) {
	t.Helper()
	s := newScene(t)
	s.shared = true
	playOn(t, s, story, about)
	s.compare()
	exercise.Expect(t, s.other == "", exercise.Verdict{
		Expected: legend(story) + "; what Get has returned is as it was",
		Happened: s.other,
		PointsTo: isCaches,
	})
}

const isCaches = "the belief that what Get returns is one's own. It is the cache's, and the next Get takes for " +
	"written what is not"

// compare looks whether somebody has changed what was shown.
func (s *scene) compare() {
	if s.other == "" && !equality.Semantic.DeepEqual(s.shown, s.intact) {
		s.other = fmt.Sprintf("of the keys [%s] it had [%s], or something else of it was "+
			"changed", told(s.intact.Finalizers),
			told(s.shown.Finalizers))
	}
}

func playOn(t *testing.T, s *scene, story string, about clues) {
	t.Helper()
	var told []string
	for step := range strings.SplitSeq(story, "; ") {
		what, want, _ := strings.Cut(step, ": ")
		if place, isAt := strings.CutPrefix(what, "at "); isAt {
			s.before[place] = append(s.before[place], want)
			told = append(told, step)
			continue
		}
		if want == "nothing" {
			want = ""
		}
		told = append(told, step)
		got := s.step(what)
		if got != want {
			exercise.Fail(t, exercise.Verdict{
				Expected: legend(strings.Join(told, "; ")),
				Happened: "what came of the last step: " + orNothing(got),
				PointsTo: about[got],
			})
		}
	}
}

// legend explains what a story calls Runs.
func legend(story string) string {
	if strings.Contains(story, "Runs") {
		story += " (Runs: Run, until one fails or changes nothing)"
	}
	return story
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

// step does something, and returns what comes of it.
func (s *scene) step(what string) string {
	s.events = nil
	switch {
	case what == "Run, whatever it returns":
		_ = s.run()
	case what == "Run":
		s.returns(s.run())
	case what == "Runs":
		s.rest()
	default:
		s.others(what)
	}
	return strings.Join(slices.Compact(s.events), ", ")
}

// rest runs until a Run has failed or changed nothing, or there is no object any more.
func (s *scene) rest() {
	for range most {
		version := s.versions
		err := s.run()
		s.returns(err)
		if err != nil || version == s.versions || s.o == nil {
			return
		}
	}
	s.happens("and the object is changed again and again")
}

func (s *scene) returns(err error) {
	switch {
	case err == nil:
	case errors.Is(err, errOutage):
		s.happens("its error")
	case errors.Is(err, context.Canceled):
		s.happens("the context's error")
	case apierrors.IsConflict(err):
		s.happens("Conflict")
	case apierrors.IsNotFound(err):
		s.happens("NotFound")
	case apierrors.IsInvalid(err):
		s.happens("Invalid")
	default:
		s.happens("the error %.60q", err)
	}
}

func (s *scene) happens(format string, args ...any) {
	s.events = append(s.events, fmt.Sprintf(format, args...))
}

// others does what somebody else does.
func (s *scene) others(what string) {
	subject, object, _ := strings.Cut(what, " ")
	switch {
	case subject == "Create":
		s.uids++
		s.o = &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: web.Namespace, Name: web.Name,
			UID: types.UID(fmt.Sprintf("uid-%d", s.uids)), Labels: map[string]string{"app": "web"}}}
		for _, key := range strings.Fields(strings.Trim(object, "[]")) {
			s.o.Finalizers = append(s.o.Finalizers, prefix+key)
		}
		s.changed()
	case subject == "Delete" && len(s.o.Finalizers) == 0:
		s.o = nil
		s.changed()
	case subject == "Delete":
		s.o = s.o.DeepCopy()
		s.o.DeletionTimestamp = &metav1.Time{Time: time.Date(2026, 8, 26, 0, 0, 0, 0, time.UTC)}
		s.changed()
	case subject == "Add":
		s.keys(append(slices.Clone(s.o.Finalizers), prefix+object))
	case subject == "Remove":
		s.keys(slices.DeleteFunc(slices.Clone(s.o.Finalizers), func(key string) bool { return key == prefix+object }))
	case what == "Clean fails, and says done":
		s.saysBoth = true
		s.others("Clean fails")
	case strings.HasSuffix(what, " fails"):
		s.fails[subject] = fmt.Errorf("%s: %w", strings.ToLower(subject), errOutage)
	case what == "Patch meets a Conflict":
		s.fails[subject] = conflict()
	case what == "Clean is not done", what == "Clean is done":
		s.slow = object == "is not done"
	case what == "the context ends":
		s.endContext()
	default:
		panic("no step: " + what)
	}
}

// keys gives the object others. Without one, an object that is being deleted is gone.
func (s *scene) keys(keys []string) {
	s.o = s.o.DeepCopy()
	s.o.Finalizers = keys
	if len(keys) == 0 && s.o.DeletionTimestamp != nil {
		s.o = nil
	}
	s.changed()
}

// has says whether the object has a key.
func (s *scene) has(key string) bool {
	return s.o != nil && slices.Contains(s.o.Finalizers, prefix+key)
}

func (s *scene) changed() {
	s.versions++
	if s.o != nil {
		s.o.ResourceVersion = fmt.Sprint(810 + s.versions)
	}
}

// called begins each call: somebody else may have come first.
func (s *scene) called(ctx context.Context, method string) error {
	others := s.before[method]
	delete(s.before, method)
	for _, what := range others {
		s.others(what)
	}
	err := s.fails[method]
	delete(s.fails, method)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// Get implements [API].
func (s *scene) Get(ctx context.Context, name types.NamespacedName) (*metav1.PartialObjectMetadata, error) {
	if err := s.called(ctx, "Get"); err != nil {
		return nil, err
	}
	o := s.o
	if o == nil || name != web {
		return nil, notFound()
	}
	if !s.shared {
		return o.DeepCopy(), nil
	}
	if s.compare(); s.intact == nil || s.intact.ResourceVersion != o.ResourceVersion {
		s.shown, s.intact = o.DeepCopy(), o.DeepCopy()
	}
	return s.shown, nil
}

// Patch implements [API], in the order of the API server: the object is looked up, the patch is laid over it, and what
// comes out is compared with what was there.
func (s *scene) Patch(ctx context.Context, name types.NamespacedName, patch []byte) error {
	if err := s.called(ctx, "Patch"); err != nil {
		return err
	}
	if s.o == nil || name != web {
		return notFound()
	}
	o, err := merged(s.o, patch)
	added := func(key string) bool { return !slices.Contains(s.o.Finalizers, key) }
	switch {
	case err != nil:
		return apierrors.NewBadRequest(err.Error())
	case o.ResourceVersion != "" && o.ResourceVersion != s.o.ResourceVersion:
		return conflict()
	case o.ResourceVersion == "", o.UID != s.o.UID,
		s.o.DeletionTimestamp != nil && slices.ContainsFunc(o.Finalizers, added):
		return apierrors.NewInvalid(schema.GroupKind{Group: processes.Group, Kind: "Process"}, web.Name, nil)
	}
	if !slices.Equal(o.Finalizers, s.o.Finalizers) { // else nothing is written
		s.keys(o.Finalizers)
	}
	s.happens("Patch [%s]", told(o.Finalizers))
	if s.o == nil {
		s.happens("gone")
	}
	return nil
}

// told are keys as words, in the order of these.
func told(keys []string) string {
	keys = slices.Sorted(slices.Values(keys))
	for i, key := range keys {
		keys[i] = strings.TrimPrefix(key, prefix)
	}
	return strings.Join(keys, " ")
}

// merged is an object with a merge patch laid over it.
func merged(o *metav1.PartialObjectMetadata, patch []byte) (*metav1.PartialObjectMetadata, error) {
	var base, over map[string]any
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(json.Unmarshal(text, &base), json.Unmarshal(patch, &over)); err != nil {
		return nil, err
	}
	if text, err = json.Marshal(merge(base, over)); err != nil {
		return nil, err
	}
	after := new(metav1.PartialObjectMetadata)
	return after, json.Unmarshal(text, after)
}

func merge(base, over map[string]any) map[string]any {
	all := maps.Clone(base)
	for name, value := range over {
		switch fields := value.(type) {
		case nil:
			delete(all, name)
		case map[string]any:
			below, _ := all[name].(map[string]any)
			if below == nil {
				below = map[string]any{}
			}
			all[name] = merge(below, fields)
		default:
			all[name] = value
		}
	}
	return all
}

// Make implements [World].
func (s *scene) Make(ctx context.Context, _ *metav1.PartialObjectMetadata) error {
	err := s.called(ctx, "Make")
	s.happens("Make")
	s.made++
	return err
}

// Clean implements [World].
func (s *scene) Clean(ctx context.Context, _ *metav1.PartialObjectMetadata) (done bool, err error) {
	err = s.called(ctx, "Clean")
	s.happens("Clean")
	if err != nil {
		done, s.saysBoth = s.saysBoth, false
		return done, err
	}
	return !s.slow, nil
}

func notFound() error { return apierrors.NewNotFound(processes, web.Name) }

func conflict() error {
	return apierrors.NewConflict(processes, web.Name, errors.New("the object has been modified"))
}
