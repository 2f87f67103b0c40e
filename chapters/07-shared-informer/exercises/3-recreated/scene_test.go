package recreated_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/exercises/3-recreated"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

const (
	nobody = "nobody is told" // what a call tells that is ignored
	noUID  = "no-uid"         // how an object's UID is written that is ""
)

// object reads "ns/a u1 v1": a key, a UID, and a state. The resourceVersion of v1 is 1; a state that does not begin
// with a v has none. One that ends with deleting has a deletionTimestamp.
func object(text string) *corev1.ConfigMap {
	words := strings.Fields(text)
	namespace, name, ok := strings.Cut(words[0], "/")
	if !ok {
		namespace, name = "", words[0]
	}
	o := &corev1.ConfigMap{Data: map[string]string{"is": text}}
	o.Namespace, o.Name = namespace, name
	if words[1] != noUID {
		o.UID = types.UID(words[1])
	}
	if version, ok := strings.CutPrefix(words[2], "v"); ok {
		o.ResourceVersion = version
	}
	if strings.HasSuffix(words[2], "deleting") {
		o.DeletionTimestamp = &metav1.Time{}
	}
	return o
}

// shown is what object has read.
func shown(o metav1.Object) string {
	if configMap, ok := o.(*corev1.ConfigMap); ok && configMap != nil {
		return configMap.Data["is"]
	}
	return fmt.Sprintf("%T(%v)", o, o)
}

// scene is a handler, and what it has told.
type scene struct {
	handler cache.ResourceEventHandler
	there   map[string]any // by key, what the last call brought
	calls   []string       // all calls
	told    []string       // by the last call
}

func newScene() *scene {
	s := &scene{there: map[string]any{}}
	s.handler = New(Lives{
		Born: func(obj metav1.Object) { s.told = append(s.told, "Born "+shown(obj)) },
		Changed: func(old, now metav1.Object) {
			s.told = append(s.told, "Changed "+shown(old)+" to "+shown(now))
		},
		Died: func(last metav1.Object, final bool) {
			how := "not final"
			if final {
				how = "final"
			}
			s.told = append(s.told, fmt.Sprintf("Died %s, %s", shown(last), how))
		},
	})
	return s
}

// call calls the handler, and says what that has told. These are calls:
//
//	OnAdd ns/a u1 v1
//	OnAdd(initial) ns/a u1 v1
//	OnUpdate ns/a u1 v2          the old object is what the call before brought
//	OnDelete ns/a u1 v3
//	OnDelete †ns/a               a tombstone whose Obj is nil
//	OnDelete †ns/a ns/a u1 v2    a tombstone with an object
func (s *scene) call(text string) string {
	s.calls, s.told = append(s.calls, text), nil
	verb, what, _ := strings.Cut(text, " ")
	key, rest, _ := strings.Cut(strings.TrimPrefix(what, "†"), " ")
	var obj any
	switch {
	case strings.HasPrefix(what, "†") && rest == "":
		obj = cache.DeletedFinalStateUnknown{Key: key}
	case strings.HasPrefix(what, "†"):
		obj = cache.DeletedFinalStateUnknown{Key: key, Obj: object(rest)}
	default:
		obj = object(what)
	}
	switch verb {
	case "OnAdd", "OnAdd(initial)":
		s.handler.OnAdd(obj, verb != "OnAdd")
		s.there[key] = obj
	case "OnUpdate":
		s.handler.OnUpdate(s.there[key], obj)
		s.there[key] = obj
	case "OnDelete":
		s.handler.OnDelete(obj)
	}
	if len(s.told) == 0 {
		return nobody
	}
	return strings.Join(s.told, "; ")
}

// clues are beliefs, by what a call tells that singles them out.
type clues map[string]string

// script plays lines, each of them a call, a colon, and what it tells: nothing where that is nobody.
func (s *scene) script(t *testing.T, about clues, lines ...string) {
	t.Helper()
	for _, line := range lines {
		text, want, ok := strings.Cut(line, ": ")
		if !ok {
			want = nobody
		}
		before := "first"
		if len(s.calls) > 0 {
			before = strings.Join(s.calls, ", ") + ", and then"
		}
		got := s.call(text)
		exercise.Expect(t, got == want, exercise.Verdict{
			Expected: fmt.Sprintf("%s %s: %s", before, text, want),
			Happened: got,
			PointsTo: about[got],
		})
	}
}

// plays plays a script to a new handler.
func plays(t *testing.T, about clues, lines ...string) {
	t.Helper()
	newScene().script(t, about, lines...)
}
