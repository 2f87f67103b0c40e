package reconcile_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/exercises/2-reconcile"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestCreates(t *testing.T) {
	exercise.Attempted(t)
	does(t, nil, "web asks; source base/colors red=1", "Create mirror web/colors of=base/colors red=1")
	does(t, nil, "web asks; base asks; source base/colors red=1 blue=2 logo:=png icon:=gif",
		"Create mirror web/colors of=base/colors blue=2 red=1 icon:=gif logo:=png")
	does(t, nil, "web asks; source shop/colors", "Create mirror web/colors of=shop/colors")
	does(t, nil, "web asks; source base/fonts size=1; source base/colors red=1",
		"Create mirror web/colors of=base/colors red=1")
}

// done is about a second call that does less than the first.
const done = "the belief that what was done once is done. Anybody may undo it, and of a write that nobody sees nobody " +
	"knows that it was made"

func TestEachCallLooksAgain(t *testing.T) {
	exercise.Attempted(t)
	const (
		source = "web asks; source base/colors pink=3"
		create = "Create mirror web/colors of=base/colors pink=3"
		seen   = "the belief that a mirror is right as long as its source has not changed. Somebody else may have " +
			"written to the mirror"
	)
	play(t, source, func(s *scene) {
		s.does(nil, create)
		s.expect(s.reconcile() == create, exercise.Verdict{
			Expected: fmt.Sprintf("%s. Reconcile is called twice, and they show nothing new: the "+
				"second call does what the first did, %s", s.told(), create),
			Happened: s.said(s.outcome()),
			PointsTo: clues{noWrite: done}[s.outcome()],
		})
	})
	play(t, source, func(s *scene) {
		s.does(nil, create)
		mirror := s.showCreated()
		before := s.reconcile()
		mirror.Data = map[string]string{"pink": "4"}
		update := strings.Replace(create, "Create", "Update", 1)
		got := s.reconcile()
		about := ""
		if before == noWrite && got == noWrite {
			about = seen
		}
		s.expect(got == update, exercise.Verdict{
			Expected: fmt.Sprintf("%s. Reconcile creates the mirror, they show it, and then somebody "+
				"changes it to pink=4: %s", s.told(), update),
			Happened: s.said(got),
			PointsTo: about,
		})
		s.hold(source)
		s.expect(s.reconcile() == create, exercise.Verdict{
			Expected: fmt.Sprintf("%s. Reconcile creates the mirror, they show it, and then it is "+
				"gone: %s", s.told(), create),
			Happened: s.said(s.outcome()),
			PointsTo: clues{noWrite: done}[s.outcome()],
		})
	})
}

func TestComesToAnEnd(t *testing.T) {
	exercise.Attempted(t)
	const source = "web asks; source base/colors red=1 logo:=png"
	play(t, source, func(s *scene) {
		s.reconcile()
		mirror := s.showCreated()
		time.Sleep(time.Hour)
		got := s.reconcile()
		about := ""
		if w := s.writes; len(w) == 1 && w[0].verb == "Update" && w[0].text == "Update "+shown(mirror) &&
			!maps.Equal(w[0].object.Annotations, mirror.Annotations) {
			about = "the belief that a note on the object costs nothing. What is another one each time makes the " +
				"mirror wrong each time: the write brings the key again, and the next call writes again"
		}
		s.expect(got == noWrite, exercise.Verdict{
			Expected: fmt.Sprintf("%s. Reconcile creates the mirror, they show it, and Reconcile is "+
				"called an hour later: %s", s.told(), noWrite),
			Happened: s.said(got) + notes(s.writes, mirror),
			PointsTo: about,
		})
	})
}

// notes says which annotations an Update would change.
func notes(writes []write, mirror *corev1.ConfigMap) string {
	for _, w := range writes {
		for _, key := range slices.Sorted(maps.Keys(mirror.Annotations)) {
			if w.verb == "Update" && w.object.Annotations[key] != mirror.Annotations[key] {
				return fmt.Sprintf(", with the annotation %s: %q, which was %q", key, w.object.Annotations[key],
					mirror.Annotations[key])
			}
		}
	}
	return ""
}

func TestWhatIsRightIsNotWritten(t *testing.T) {
	exercise.Attempted(t)
	for _, data := range []string{"", " red=1", " red=1 blue=2", " logo:=png", " red=1 logo:=png", " red=1 immutable"} {
		cached := fmt.Sprintf("web asks; source base/colors uid=u5 version=9%s; mirror web/colors of=base/colors%s",
			data, data)
		does(t, nil, cached, noWrite)
	}
	play(t, "web asks; source base/colors red=1; mirror web/colors of=base/colors red=1", func(s *scene) {
		burden(s.objects[1])
		s.cached += ", which has other labels and annotations, an owner and a finalizer, too"
		s.does(nil, noWrite)
	})
}

func TestUpdates(t *testing.T) {
	exercise.Attempted(t)
	const stays = "the belief that a mirror is right if it has all that its source has. What it has besides was " +
		"taken out of the source, or was never there"
	right := "Update mirror web/colors of=base/colors red=1"
	for _, mirror := range []string{
		"of=base/colors red=2", "of=base/colors", "of=base/colors blue=1", "of=shop/colors red=1",
		"of=shop/colors red=2",
		"of=shop/colors", "of=base/fonts red=1", "red=1", "red=2", "of=base/colors red:=1",
		"of=base/colors red=2 mutable", "of=shop/colors red=1 mutable", "of=nonsense red=1",
	} {
		does(t, nil, "web asks; source base/colors red=1; mirror web/colors "+mirror, right)
	}
	does(t, clues{noWrite: stays},
		"web asks; source base/colors red=1; mirror web/colors of=base/colors red=1 blue=2", right)
	does(t, nil, "web asks; source base/colors red=1; mirror web/colors of=base/colors red=1 logo:=png", right)
	does(t, nil, "web asks; source base/colors logo:=png; mirror web/colors of=base/colors logo:=gif",
		"Update mirror web/colors of=base/colors logo:=png")
	does(t, nil, "web asks; source base/colors logo:=png; mirror web/colors of=base/colors",
		"Update mirror web/colors of=base/colors logo:=png")
	does(t, nil, "web asks; source base/colors red=; mirror web/colors of=base/colors blue=",
		"Update mirror web/colors of=base/colors red=")
	does(t, nil, "web asks; source base/colors blue=1_red:2; mirror web/colors of=base/colors blue=1 red=2",
		"Update mirror web/colors of=base/colors blue=1_red:2")
	does(t, nil, "web asks; source base/colors; mirror web/colors of=base/colors red=1",
		"Update mirror web/colors of=base/colors")
}

func TestAnUpdateKeepsAllElse(t *testing.T) {
	exercise.Attempted(t)
	for _, mirror := range []string{"red=2", "of=shop/colors red=1 immutable", "of=base/colors red=2 mutable"} {
		cached := "web asks; source base/colors version=9 red=1; mirror web/colors uid=u2 version=7 " + mirror
		play(t, cached, func(s *scene) {
			burden(s.objects[0])
			stood := s.objects[1]
			burden(stood)
			stood.Labels["team"], stood.Annotations["example.com/note"] = "web", "ours"
			stood.CreationTimestamp = metav1.Time{Time: time.Unix(1, 0)}
			s.cached += ", which has other labels and annotations, an owner and a finalizer, too"
			s.reconcile()
			if len(s.writes) != 1 || s.writes[0].verb != "Update" || s.writes[0].object == nil {
				s.expect(false, exercise.Verdict{
					Expected: fmt.Sprintf("%s. Reconcile of %s: one Update", s.told(), place),
					Happened: s.said(s.outcome()),
				})
				return
			}
			got := s.writes[0].object
			lost := notKept(got, stood)
			about := ""
			switch {
			case slices.Equal(lost, []string{"its resourceVersion 7"}) && got.ResourceVersion == "":
				about = "the belief that a conflict is what is to be avoided. An Update without a resourceVersion " +
					"has none, and overwrites what somebody else has written since it was read"
			case len(lost) >= 6 && got.ResourceVersion == stood.ResourceVersion:
				about = "the belief that an Update changes what it is given. It puts the whole object in the place " +
					"of the one that stands there"
			}
			s.expect(len(lost) == 0, exercise.Verdict{
				Expected: fmt.Sprintf("%s. The Update of %s keeps all that was not wrong", s.told(), place),
				Happened: "it has lost or changed " + strings.Join(lost, ", "),
				PointsTo: about,
			})
		})
	}
}

// burden gives an object what is not a mirror's business.
func burden(o *corev1.ConfigMap) {
	o.Labels["app"] = "paint"
	o.Annotations = put(o.Annotations, "kubectl.kubernetes.io/last-applied-configuration", "{}")
	o.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Secret", Name: "brush", UID: "u77",
		Controller: new(true)}}
	o.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubectl"}}
	o.Finalizers = []string{"example.com/hold"}
}

// notKept says what an Update lost, or changed, of what stood there.
func notKept(got, stood *corev1.ConfigMap) []string {
	var lost []string
	no := func(ok bool, format string, args ...any) {
		if !ok {
			lost = append(lost, fmt.Sprintf(format, args...))
		}
	}
	no(got.ResourceVersion == stood.ResourceVersion, "its resourceVersion %s", stood.ResourceVersion)
	no(got.UID == stood.UID, "its UID")
	for _, key := range slices.Sorted(maps.Keys(stood.Labels)) {
		no(got.Labels[key] == stood.Labels[key], "its label %s", key)
	}
	for _, key := range slices.Sorted(maps.Keys(stood.Annotations)) {
		no(key == Of || got.Annotations[key] == stood.Annotations[key], "its annotation %s", key)
	}
	no(equality.Semantic.DeepEqual(got.OwnerReferences, stood.OwnerReferences), "its owner")
	no(slices.Equal(got.Finalizers, stood.Finalizers), "its finalizer")
	no(equality.Semantic.DeepEqual(got.Immutable, stood.Immutable), "its Immutable")
	no(got.CreationTimestamp.Equal(&stood.CreationTimestamp), "its creationTimestamp")
	no(equality.Semantic.DeepEqual(got.ManagedFields, stood.ManagedFields), "its managedFields")
	return lost
}

func TestCreatesNothingElseOfTheSource(t *testing.T) {
	exercise.Attempted(t)
	play(t, "web asks; source base/colors uid=u5 version=9 red=1 immutable", func(s *scene) {
		source := s.objects[0]
		burden(source)
		source.CreationTimestamp, source.Generation = metav1.Time{Time: time.Unix(1, 0)}, 3
		s.cached += ", which has other labels and annotations, an owner and a finalizer, too"
		s.reconcile()
		if len(s.writes) != 1 || s.writes[0].verb != "Create" || s.writes[0].object == nil {
			s.expect(false, exercise.Verdict{
				Expected: fmt.Sprintf("%s. Reconcile of %s: one Create", s.told(), place),
				Happened: s.said(s.outcome()),
			})
			return
		}
		has := ofSource(s.writes[0].object, source)
		about := ""
		if len(has) > 5 {
			about = "the belief that a mirror is a copy of the whole object. Its metadata is about the source: its " +
				"owner is looked for in the mirror's namespace, who removes its finalizer does not know of the " +
				"mirror, and an object that has a resourceVersion is not created"
		}
		s.expect(len(has) == 0, exercise.Verdict{
			Expected: fmt.Sprintf("%s. Reconcile creates %s with Data and BinaryData of the source "+
				"and the label Group, and with nothing else of it", s.told(), place),
			Happened: "it also had the source's " + strings.Join(has, ", "),
			PointsTo: about,
		})
	})
}

// ofSource says what a created mirror has of its source that is none of its business.
func ofSource(got, source *corev1.ConfigMap) []string {
	var has []string
	also := func(is bool, format string, args ...any) {
		if is {
			has = append(has, fmt.Sprintf(format, args...))
		}
	}
	also(got.ResourceVersion != "", "resourceVersion")
	also(got.UID != "", "UID")
	for _, key := range slices.Sorted(maps.Keys(source.Labels)) {
		also(key != Group && key != Role && got.Labels[key] == source.Labels[key], "label %s", key)
	}
	for _, key := range slices.Sorted(maps.Keys(source.Annotations)) {
		also(got.Annotations[key] == source.Annotations[key], "annotation %s", key)
	}
	also(len(got.OwnerReferences) > 0, "owner")
	also(len(got.Finalizers) > 0, "finalizer")
	also(got.Immutable != nil && *got.Immutable, "Immutable")
	return has
}

func TestOfSeveralSources(t *testing.T) {
	exercise.Attempted(t)
	const given = "the belief that the order of a cache says something. It is that of a map: two calls take two " +
		"sources, and what one writes is wrong for the other"
	sources := []string{"source shop/colors red=1", "source base/colors red=2", "source base-2/colors red=3"}
	orders := [][]int{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	took, first := []string{}, []string{}
	for _, order := range orders {
		cached := fmt.Sprintf("web asks; %s; %s; %s", sources[order[0]], sources[order[1]], sources[order[2]])
		play(t, cached, func(s *scene) {
			took = append(took, s.reconcile())
			words := strings.Fields(sources[order[0]])
			first = append(first, fmt.Sprintf("Create mirror web/colors of=%s %s", words[1], words[2]))
		})
	}
	for n, order := range orders {
		about := ""
		if slices.Equal(took, first) {
			about = given
		}
		want := "Create mirror web/colors of=base/colors red=2"
		exercise.Expect(t, took[n] == want, exercise.Verdict{
			Expected: fmt.Sprintf("the Reader returns: %s; %s; %s. Reconcile of %s: %s",
				sources[order[0]], sources[order[1]], sources[order[2]], place, want),
			Happened: took[n],
			PointsTo: about,
		})
	}
	does(t, nil, "web asks; source shop/colors red=1; source base/colors red=2; mirror web/colors of=shop/colors red=1",
		"Update mirror web/colors of=base/colors red=2")
	does(t, nil, "web asks; source zoo/colors red=1; source base/colors red=2; mirror web/colors of=base/colors red=2",
		noWrite)
	does(t, nil, "web asks; source base-2/colors red=2; source base-10/colors red=1",
		"Create mirror web/colors of=base-10/colors red=1")
	does(t, nil, "web asks; source shop/colors red=1; source base/colors red=2 deleting",
		"Create mirror web/colors of=base/colors red=2")
}

func TestDeletes(t *testing.T) {
	exercise.Attempted(t)
	about := clues{
		"Delete web/colors": "the belief that a deletion is of what was read. Without preconditions it is of " +
			"whatever stands at that place by then, also if somebody else has put it there",
	}
	for _, cached := range []string{
		"source base/colors red=1; mirror web/colors uid=u2 version=7 of=base/colors red=1",
		"base asks; source base/colors version=5 red=1; mirror web/colors uid=u2 version=7 of=base/colors red=2",
		"web asks; mirror web/colors uid=u2 version=7 of=base/colors red=1",
		"web asks; source base/fonts size=1; mirror web/colors uid=u2 version=7 of=base/fonts size=1",
		"mirror web/colors uid=u2 version=7 red=1 immutable",
	} {
		does(t, about, cached, "Delete web/colors if uid=u2 version=7")
	}
}

func TestWhereNothingIsToDo(t *testing.T) {
	exercise.Attempted(t)
	about := clues{
		"Delete web/colors": "the belief that a deletion of nothing costs nothing. What the caches do not show may " +
			"stand there all the same, and be somebody else's",
	}
	for _, cached := range []string{
		"nothing", "web asks", "source base/colors red=1", "base asks; source base/colors red=1",
		"web asks; source base/fonts size=1",
		"web asks; source base/fonts size=1; mirror shop/colors of=base/colors red=1",
	} {
		does(t, about, cached, noWrite)
	}
}

func TestImmutable(t *testing.T) {
	exercise.Attempted(t)
	const at = "web asks; source base/colors red=1 logo:=png; mirror web/colors uid=u2 version=7 of=base/colors "
	about := clues{
		"Delete web/colors if uid=u2 version=7; Create mirror web/colors of=base/colors red=1 logo:=png": "the " +
			"belief that what is deleted is gone when Delete returns. A finalizer may hold it, for as long as it likes",
	}
	for _, data := range []string{"red=2 logo:=png", "red=1 logo:=gif", "red=1", "red=1 blue=2 logo:=png"} {
		does(t, about, at+data+" immutable", "Delete web/colors if uid=u2 version=7")
	}
	does(t, nil,
		"web asks; source base/colors red=1; mirror web/colors uid=u2 version=7 of=shop/colors red=1 immutable",
		"Update mirror web/colors of=base/colors red=1 immutable")
	does(t, nil, at+"red=2 mutable", "Update mirror web/colors of=base/colors red=1 logo:=png")
	does(t, nil,
		"web asks; source base/colors red=1 immutable; mirror web/colors uid=u2 version=7 of=base/colors red=2",
		"Update mirror web/colors of=base/colors red=1")
}

func TestBeingDeleted(t *testing.T) {
	exercise.Attempted(t)
	for _, cached := range []string{
		"web asks; source base/colors red=1; mirror web/colors of=base/colors red=2 deleting",
		"web asks; source base/colors red=1; mirror web/colors of=base/colors red=2 immutable deleting",
		"web asks; source base/colors red=1; mirror web/colors of=base/colors red=1 deleting",
		"mirror web/colors of=base/colors red=1 deleting",
		"web asks; mirror web/colors of=base/colors red=1 deleting",
	} {
		does(t, nil, cached, noWrite)
	}
}

func TestNotOurs(t *testing.T) {
	exercise.Attempted(t)
	const taken = "the belief that what stands at a mirror's place is the mirror. The name is the source's, and " +
		"anybody may have taken it for something of their own"
	for _, role := range []string{noRole, "other"} {
		for _, data := range []string{"red=1", "of=base/colors red=1", "red=2 immutable"} {
			cached := role + " web/colors uid=u2 version=7 " + data
			does(t, clues{"Delete web/colors if uid=u2 version=7": taken}, cached, noWrite)
			does(t, clues{"Delete web/colors if uid=u2 version=7": taken}, "web asks; "+cached, noWrite)
			does(t, nil, "source base/colors red=1; "+cached, noWrite)
			does(t, nil, "web asks; source base/colors red=1; "+cached, noWrite+failing)
		}
	}
	for _, role := range []string{noRole, "other"} {
		does(t, clues{noWrite: "the belief that what is being deleted makes room by itself. Its finalizers may hold it for " +
			"ever, and nobody would know why there is no mirror"},
			"web asks; source base/colors red=1; "+role+" web/colors red=1 deleting", noWrite+failing)
	}
	play(t, "web asks; source base/colors red=1; other web/colors red=1", func(s *scene) {
		s.reconcile()
		text := fmt.Sprint(s.err)
		s.expect(strings.Contains(text, place.Namespace) && strings.Contains(text, place.Name), exercise.Verdict{
			Expected: fmt.Sprintf("%s. The error of Reconcile names the place, %s", s.told(), place),
			Happened: fmt.Sprintf("it is %q", text),
		})
	})
}

// A source may stand where the mirror of another one, or of itself, would stand.
func TestASourceAtThePlace(t *testing.T) {
	exercise.Attempted(t)
	for _, cached := range []string{
		"source web/colors red=1", "web asks; source web/colors red=1",
		"web asks; source web/colors red=1; source base/colors red=2",
		"web asks; source base/colors red=2; source web/colors red=1",
		"web asks; source zoo/colors red=2; source web/colors red=1",
		"web asks; source web/colors of=base/colors red=1; source base/colors red=2",
	} {
		does(t, nil, cached, noWrite)
	}
	gone := clues{noWrite + failing: "the belief that what is being deleted is gone. Until its finalizers are done it is " +
		"what it was"}
	does(t, gone, "web asks; source web/colors red=1 deleting", noWrite)
	does(t, gone, "web asks; source web/colors red=1 deleting; source base/colors red=2", noWrite)
}

// states are what the caches may hold that makes for a kind of write.
var states = []struct{ verb, cached string }{
	{"Create", "web asks; source base/colors red=1 logo:=png"},
	{"Update", "web asks; source base/colors red=1 logo:=png; mirror web/colors of=shop/colors red=2 logo:=gif"},
	{"Delete", "web asks; mirror web/colors of=base/colors red=1 logo:=png"},
	{"Update", "web asks; source base/colors red=1; mirror web/colors of=shop/colors red=1 immutable"},
	{"Update", "web asks; source base/colors red=1; mirror web/colors of=base/colors red=2 mutable"},
	{"Delete", "web asks; source base/colors red=1; mirror web/colors of=base/colors red=2 immutable"},
}

func TestNothingOfTheReaderIsChanged(t *testing.T) {
	exercise.Attempted(t)
	for _, state := range states {
		play(t, state.cached, func(s *scene) {
			for _, o := range s.objects {
				burden(o)
			}
			before := copies(s.objects)
			s.reconcile()
			written := len(s.writes) == 1 && s.writes[0].object != nil
			about := ""
			switch {
			case written && slices.Contains(s.objects, s.writes[0].object):
				about = "the belief that what was read is one's own. A cache returns a pointer to what all read, and " +
					"has no other copy: nobody sees any more what the API server has"
			case written:
				about = "the belief that a copied struct has copies of what its fields lead to. Its maps are those " +
					"of the object in the cache"
			}
			s.expect(equality.Semantic.DeepEqual(s.objects, before), exercise.Verdict{
				Expected: fmt.Sprintf("%s. Reconcile of %s leaves that as it is", s.told(), place),
				Happened: "then they hold: " + differing(s.objects, before),
				PointsTo: about,
			})
		})
	}
}

func TestWhatIsWrittenSharesNothing(t *testing.T) {
	exercise.Attempted(t)
	for _, state := range states {
		if state.verb == "Delete" {
			continue
		}
		play(t, state.cached, func(s *scene) {
			for _, o := range s.objects {
				burden(o)
			}
			before := copies(s.objects)
			s.reconcile()
			var shared []string
			for _, w := range s.writes {
				shared = arrives(w.object, s.objects, before)
			}
			about := ""
			switch {
			case slices.Equal(shared, []string{"the bytes of BinaryData"}):
				about = "the belief that a copied map has copies of its values. A []byte leads to bytes that " +
					"both maps have"
			case slices.Contains(shared, "Data"):
				about = "the belief that a map is copied when it is assigned. Both fields then lead to one map"
			}
			s.expect(len(shared) == 0, exercise.Verdict{
				Expected: fmt.Sprintf("%s. Whoever changes what Reconcile has given to %s changes "+
					"nothing of them", s.told(), state.verb),
				Happened: "it shares with them: " + strings.Join(shared, ", "),
				PointsTo: about,
			})
		})
	}
}

// The caches show for a while what was there before a write, and the same objects again.
func TestTheSecondCall(t *testing.T) {
	exercise.Attempted(t)
	for _, state := range states {
		for _, answer := range []error{nil, errBroken} {
			play(t, state.cached, func(s *scene) {
				s.answer = func(*write) error { return answer }
				first := s.reconcile()
				s.expect(s.reconcile() == first, exercise.Verdict{
					Expected: fmt.Sprintf("%s. Reconcile is called twice, the Writer returns %v, and the caches show nothing "+
						"new: the second call does what the first did, %s", s.told(), answer, first),
					Happened: s.said(s.outcome()),
					PointsTo: map[bool]string{true: done}[len(s.writes) == 0],
				})
			})
		}
	}
}

func copies(objects []*corev1.ConfigMap) []*corev1.ConfigMap {
	var all []*corev1.ConfigMap
	for _, o := range objects {
		all = append(all, o.DeepCopy())
	}
	return all
}

// differing shows the objects that are no longer what they were.
func differing(objects, before []*corev1.ConfigMap) string {
	var texts []string
	for n, o := range objects {
		if !equality.Semantic.DeepEqual(o, before[n]) {
			texts = append(texts, fmt.Sprintf("%s, where %s was", shown(o), shown(before[n])))
		}
	}
	return strings.Join(texts, "; ")
}

// arrives writes to an object, one field at a time, and says which writes arrive in the caches.
func arrives(o *corev1.ConfigMap, objects, before []*corev1.ConfigMap) []string {
	var shared []string
	for _, field := range []struct {
		name     string
		scribble func()
	}{
		{"the bytes of BinaryData", func() {
			for _, b := range o.BinaryData {
				if len(b) > 0 {
					b[0]++
				}
			}
		}},
		{"BinaryData", func() { o.BinaryData = put(o.BinaryData, "scribble", nil) }},
		{"Data", func() { o.Data = put(o.Data, "scribble", "") }},
		{"labels", func() { o.Labels = put(o.Labels, "scribble", "") }},
		{"annotations", func() { o.Annotations = put(o.Annotations, "scribble", "") }},
		{"owners", func() {
			for n := range o.OwnerReferences {
				o.OwnerReferences[n].Name = "scribble"
			}
		}},
		{"what owners lead to", func() {
			for _, owner := range o.OwnerReferences {
				if owner.Controller != nil {
					*owner.Controller = !*owner.Controller
				}
			}
		}},
		{"Immutable", func() {
			if o.Immutable != nil {
				*o.Immutable = !*o.Immutable
			}
		}},
		{"managedFields", func() {
			for n := range o.ManagedFields {
				o.ManagedFields[n].Manager = "scribble"
			}
		}},
		{"finalizers", func() {
			for n := range o.Finalizers {
				o.Finalizers[n] = "scribble"
			}
		}},
	} {
		field.scribble()
		if !equality.Semantic.DeepEqual(objects, before) {
			shared = append(shared, field.name)
			for n := range objects {
				before[n] = objects[n].DeepCopy()
			}
		}
	}
	return shared
}

var errBroken = errors.New("the connection is broken")

// A refusal is an error of the Writer.
type refusal struct {
	verb, what string
	err        error
	gone       bool // Reconcile returns nil
}

// refusals are those that some believe to be something else, and then each that there is, from each verb.
func refusals() []refusal {
	all := slices.Clone(particular)
	for _, verb := range []string{"Create", "Update", "Delete"} {
		for _, err := range []*apierrors.StatusError{
			apierrors.NewNotFound(configMaps, place.Name), apierrors.NewAlreadyExists(configMaps, place.Name),
			apierrors.NewConflict(configMaps, place.Name, errors.New("it is another")),
			apierrors.NewForbidden(configMaps, place.Name, errors.New("no")), apierrors.NewUnauthorized("who?"),
			apierrors.NewInvalid(corev1.SchemeGroupVersion.WithKind("ConfigMap").GroupKind(), place.Name, nil),
			{ErrStatus: metav1.Status{Reason: metav1.StatusReasonGone, Code: http.StatusGone, Message: "gone"}},
			apierrors.NewResourceExpired("too old"), apierrors.NewBadRequest("what?"),
			apierrors.NewMethodNotSupported(configMaps, verb), apierrors.NewTooManyRequests("later", 1),
			apierrors.NewServiceUnavailable("not now"), apierrors.NewInternalError(errBroken),
			apierrors.NewTimeoutError("too late", 1), apierrors.NewServerTimeout(configMaps, verb, 1),
			apierrors.NewRequestEntityTooLargeError("too much"),
		} {
			what := string(err.ErrStatus.Reason)
			if !slices.ContainsFunc(all, func(r refusal) bool { return r.verb == verb && r.what == what }) {
				all = append(all, refusal{verb, what, err, verb == "Delete" && apierrors.IsNotFound(err)})
			}
		}
		all = append(all, refusal{verb, "an ended context", context.Canceled, false},
			refusal{verb, "a late answer", fmt.Errorf("%s: %w", verb, context.DeadlineExceeded), false})
	}
	return all
}

var particular = []refusal{
	{"Create", "an error of the connection", errBroken, false},
	{"Update", "an error of the connection", errBroken, false},
	{"Delete", "an error of the connection", errBroken, false},
	{"Create", "Forbidden", apierrors.NewForbidden(configMaps, place.Name, errors.New("no")), false},
	{"Create", "Forbidden, as the namespace is being deleted,", terminating(), false},
	{"Create", "AlreadyExists", apierrors.NewAlreadyExists(configMaps, place.Name), false},
	{"Create", "NotFound, for the namespace,", apierrors.NewNotFound(corev1.Resource("namespaces"), "web"), false},
	{"Update", "Conflict", apierrors.NewConflict(configMaps, place.Name, errors.New(upstreams)), false},
	{"Update", "Conflict in other words", apierrors.NewConflict(configMaps, place.Name, errors.New("too late")), false},
	{"Update", "NotFound", apierrors.NewNotFound(configMaps, place.Name), false},
	{"Delete", "Conflict", apierrors.NewConflict(configMaps, place.Name, errors.New("the UID is another")), false},
	{"Delete", "NotFound", apierrors.NewNotFound(configMaps, place.Name), true},
	{"Delete", "a wrapped NotFound", fmt.Errorf("delete: %w", apierrors.NewNotFound(configMaps, place.Name)), true},
}

// terminating is what the API server answers to a Create in a namespace that is being deleted.
func terminating() error {
	err := apierrors.NewForbidden(configMaps, place.Name,
		errors.New("unable to create new content in namespace web because it is being terminated"))
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
	return err
}

// upstreams is k8s.io/apiserver/pkg/registry/generic/registry.OptimisticLockErrorMsg.
const upstreams = "the object has been modified; please apply your changes to the latest version and try again"

var configMaps = corev1.Resource("configmaps")

// An attempt is a write that is refused.
type attempt struct {
	refusal
	cached string
}

// attempts are the refusals, in each of the states that make for a write of their kind.
func attempts() (all []attempt) {
	for _, r := range refusals() {
		for _, state := range states {
			if state.verb == r.verb {
				all = append(all, attempt{r, state.cached})
			}
		}
	}
	return all
}

func TestErrorsOfTheWriter(t *testing.T) {
	exercise.Attempted(t)
	attempts := attempts()
	got, made := make([]error, len(attempts)), make([][]write, len(attempts))
	right, kept := map[string]bool{}, 0
	for n, r := range attempts {
		play(t, r.cached, func(s *scene) {
			s.answer = func(*write) error { return r.err }
			s.reconcile()
			got[n], made[n] = s.err, s.writes
			ok := errors.Is(s.err, r.err)
			if ok {
				kept++
			}
			right[r.cached+r.what] = ok != r.gone && (s.err == nil) == r.gone
		})
	}
	for n, r := range attempts {
		about := ""
		switch {
		case kept == 0 && !slices.ContainsFunc(got, func(err error) bool { return err != nil }):
			about = "the belief that the caller need not know of an error. It takes nil for success, and does " +
				"not try again"
		case r.what == "Conflict" && r.verb == "Update" && right[r.cached+"Conflict in other words"] && got[n] == nil:
			about = "the belief that an error is known by its text. The text is for people"
		case r.gone && len(made[n]) == 2 && made[n][1].verb == "Create":
			about = "the belief that NotFound says that the place is free. It said so once, and what the caches show by " +
				"the next call is newer"
		case strings.HasPrefix(r.what, "Forbidden, as") && got[n] == nil:
			about = "the belief that an error which another attempt does not mend is none. The caches still say that a mirror " +
				"should stand there, and nothing else brings the key back"
		case r.what == "AlreadyExists" && got[n] == nil:
			about = "the belief that what exists is the mirror. The caches show each ConfigMap with the label Group, " +
				"and what they do not show may be somebody else's: of that no event comes, and no key"
		}
		exercise.Expect(t, right[r.cached+r.what], refused(r, got[n], about))
	}
}

func refused(r attempt, got error, about string) exercise.Verdict {
	want := "returns it, bare or wrapped"
	if r.gone {
		want = "returns nil"
	}
	happened := "it returned nil"
	if got != nil {
		happened = fmt.Sprintf("it returned %q", got)
		if !r.gone {
			happened += ", in which errors.Is does not find it"
		}
	}
	return exercise.Verdict{
		Expected: fmt.Sprintf("%s. Then the Writer returns %s from %s, %q: Reconcile %s",
			(&scene{cached: r.cached}).told(), r.what, r.verb, r.err, want),
		Happened: happened,
		PointsTo: about,
	}
}

func TestOneWrite(t *testing.T) {
	exercise.Attempted(t)
	const (
		known = "the belief that what the caches do not show can be written to all the same. Nobody has looked whose " +
			"it is, and there is no resourceVersion to write it with"
		again = "the belief that a conflict is over when one tries again. What was read is still what the caches " +
			"show, and it is refused again"
	)
	for _, r := range attempts() {
		play(t, r.cached, func(s *scene) {
			s.answer = func(w *write) error {
				if w.verb == r.verb {
					return r.err
				}
				return nil
			}
			got := s.reconcile()
			about := ""
			if len(s.writes) > 1 {
				same := s.writes[0].text == s.writes[1].text
				switch {
				case same && apierrors.IsConflict(r.err):
					about = again
				case r.what == "AlreadyExists" && s.writes[1].verb == "Update":
					about = known
				}
			}
			s.expect(len(s.writes) == 1, exercise.Verdict{
				Expected: fmt.Sprintf("%s. Reconcile of %s calls %s, which returns %s: it makes no other write",
					s.told(), place, r.verb, r.what),
				Happened: s.said(got),
				PointsTo: about,
			})
		})
	}
}

func TestWaitsForNothing(t *testing.T) {
	exercise.Attempted(t)
	for _, state := range states {
		play(t, state.cached, func(s *scene) {
			began := time.Now()
			s.reconcile()
			s.expect(time.Since(began) == 0, exercise.Verdict{
				Expected: fmt.Sprintf("%s is called, and returns nil. The caches do not show yet what was written: "+
					"Reconcile returns at once", state.verb),
				Happened: fmt.Sprintf("it returned after %v", time.Since(began)),
				PointsTo: "the belief that a call has to see its own write. The caches show it when they show it, " +
					"and that brings the key again",
			})
		})
	}
}

func TestCallsAtOnce(t *testing.T) {
	exercise.Attempted(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // what another goroutine is to do is not done by chance
	for _, many := range []int{1, 100} {
		play(t, "web asks; shop asks; source base/colors red=1", func(s *scene) {
			slow := held{begun: &atomic.Int64{}, release: make(chan struct{})}
			while := fmt.Sprintf("While the Create of a call for %s runs", place)
			places := []Key{place}
			if many > 1 {
				places = nil
				for n := range many {
					at := Key{Namespace: fmt.Sprintf("web-%d", n), Name: place.Name}
					places, s.asks[at.Namespace] = append(places, at), true
					while = fmt.Sprintf("While the Creates of calls for %s to %s run", places[0], at)
				}
			}
			for _, at := range places {
				go Reconcile(context.Background(), at, reader{s}, slow)
			}
			gosched(func() bool { return slow.begun.Load() == int64(many) })
			var returned atomic.Bool
			go func() {
				Reconcile(context.Background(), Key{Namespace: "shop", Name: place.Name}, reader{s}, writer{s})
				returned.Store(true)
			}()
			gosched(returned.Load)
			before := returned.Load()
			close(slow.release)
			synctest.Wait()
			s.expect(before, exercise.Verdict{
				Expected: fmt.Sprintf("%s. %s, another call is for shop/%s: it returns", s.told(), while, place.Name),
				Happened: "it returned when the others had returned",
			})
		})
	}
}

// held is a Writer whose calls return when they are released.
type held struct {
	begun   *atomic.Int64
	release chan struct{}
}

func (h held) Create(context.Context, *corev1.ConfigMap) error {
	h.begun.Add(1)
	<-h.release
	return nil
}

func (h held) Update(ctx context.Context, o *corev1.ConfigMap) error { return h.Create(ctx, o) }

func (h held) Delete(ctx context.Context, _ Key, _ metav1.Preconditions) error {
	return h.Create(ctx, nil)
}

// gosched has the other goroutines run until something is done. synctest.Wait would wait for one that waits for a lock.
func gosched(done func() bool) {
	for n := 0; n < 10_000 && !done(); n++ {
		runtime.Gosched()
	}
}

func TestContext(t *testing.T) {
	exercise.Attempted(t)
	type mark struct{}
	for _, state := range states {
		play(t, state.cached, func(s *scene) {
			ctx, cancel := context.WithCancel(context.WithValue(context.Background(), mark{}, "caller's"))
			s.answer = func(w *write) error {
				given := w.ctx != nil && w.ctx.Value(mark{}) != nil
				s.expect(given, exercise.Verdict{
					Expected: fmt.Sprintf("%s is called with the ctx that Reconcile was called with, or with one "+
						"made from it",
						state.verb),
					Happened: "it was called with another one",
				})
				cancel()
				if given {
					synctest.Wait()
					select {
					case <-w.ctx.Done():
					default:
						s.expect(false, exercise.Verdict{
							Expected: fmt.Sprintf("ctx ends while %s runs: the one that it was called with ends, too",
								state.verb),
							Happened: "it did not end",
						})
					}
				}
				return nil
			}
			s.reconcileWith(ctx)
			s.expect(len(s.writes) == 1, exercise.Verdict{
				Expected: fmt.Sprintf("%s. Reconcile of %s: one %s", s.told(), place, state.verb),
				Happened: s.said(s.outcome()),
			})
		})
	}
}

// Whoever looks at ctx first says so: nil would say that the place is right.
func TestAnEndedContext(t *testing.T) {
	exercise.Attempted(t)
	for _, state := range states {
		play(t, state.cached, func(s *scene) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			s.reconcileWith(ctx)
			about := ""
			if len(s.writes) == 0 && s.err == nil {
				about = "the belief that at the end nothing matters. Who calls is told that all is right, and forgets the key"
			}
			s.expect(len(s.writes) == 1 || len(s.writes) == 0 && errors.Is(s.err, context.Canceled), exercise.Verdict{
				Expected: fmt.Sprintf("%s. ctx has ended before Reconcile of %s: one %s, or ctx's error", s.told(), place,
					state.verb),
				Happened: s.said(s.outcome()),
				PointsTo: about,
			})
		})
	}
}

// What the caches may hold is put together of parts, and what should come of it is told by wanted.
func TestWhateverTheCachesHold(t *testing.T) {
	exercise.Attempted(t)
	var places []string
	for _, of := range []string{"", " of=base/colors", " of=shop/colors"} {
		for _, data := range []string{"", " red=1", " red=1 logo:=png", " red=2 blue=3"} {
			for _, flags := range []string{"", " mutable", " immutable", " deleting", " immutable deleting"} {
				places = append(places, "mirror web/colors uid=u2 version=7"+of+data+flags)
			}
		}
	}
	places = append(places, "source web/colors red=1", "other web/colors red=1",
		"unmarked web/colors of=base/colors red=1")
	for _, asks := range []string{"", "web asks"} {
		for _, sources := range []string{
			"", "base/colors red=1", "base/colors red=2 blue=3", "shop/colors red=1 logo:=png",
			"shop/colors red=1; source base/colors red=1 logo:=png", "base/colors immutable deleting",
		} {
			for _, at := range append(places, "") {
				parts := []string{asks, sources, at}
				if sources != "" {
					parts[1] = "source " + sources
				}
				cached := strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "; ")
				if cached == "" {
					cached = "nothing"
				}
				play(t, cached, func(s *scene) { s.does(nil, wanted(s)) })
			}
		}
	}
}

// wanted is the outcome that the assignment asks for.
func wanted(s *scene) string {
	there, found := reader{s}.Get(place)
	var source *corev1.ConfigMap
	for _, o := range (reader{s}).Sources(place.Name) {
		if s.asks[place.Namespace] && (source == nil || o.Namespace < source.Namespace) {
			source = o
		}
	}
	if found && there.Labels[Role] == Source {
		source = nil
	}
	should := &corev1.ConfigMap{}
	if source != nil {
		should = object("mirror web/colors of=" + source.Namespace + "/" + source.Name)
		should.Data, should.BinaryData = source.Data, source.BinaryData
		if found {
			should.Immutable, should.DeletionTimestamp = there.Immutable, there.DeletionTimestamp
		}
	}
	switch {
	case !found && source == nil:
		return noWrite
	case !found:
		return "Create " + shown(should)
	case there.Labels[Role] != Mirror && source != nil:
		return noWrite + failing
	case there.Labels[Role] != Mirror || there.DeletionTimestamp != nil || shown(there) == shown(should):
		return noWrite
	case source == nil:
		return "Delete web/colors if uid=u2 version=7"
	case there.Immutable != nil && *there.Immutable && !(equality.Semantic.DeepEqual(there.Data, should.Data) &&
		equality.Semantic.DeepEqual(there.BinaryData, should.BinaryData)):
		return "Delete web/colors if uid=u2 version=7"
	}
	return "Update " + shown(should)
}
