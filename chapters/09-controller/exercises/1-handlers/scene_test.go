package handlers_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/exercises/1-handlers"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// relations is what the caches say: north and south ask, a mirror of menu still stands in east, and rules is a source.
type relations struct {
	namespaces, names []string // of menu, and of north; shared by all who ask
}

func newRelations() *relations {
	// There is room behind them: whoever appends without a copy writes where others do.
	return &relations{namespaces: append(make([]string, 0, 8), "south", "north", "east"),
		names: append(make([]string, 0, 8), "rules", "menu")}
}

// Namespaces implements Relations.
func (r *relations) Namespaces(name string) []string {
	if name != "menu" {
		return []string{"south", "north"}
	}
	return r.namespaces
}

// Names implements Relations.
func (r *relations) Names(namespace string) []string {
	if namespace != "north" {
		return []string{"rules"}
	}
	return r.names
}

// scene is a handler, and what it has added.
type scene struct {
	t         *testing.T
	relations *relations
	handler   cache.ResourceEventHandler

	mu    sync.Mutex // guards added
	added []string
}

// play tells a story to a handler of its own, in virtual time. A story reports, and does not end the test.
func play(t *testing.T, story func(*scene)) {
	t.Helper()
	exercise.Bubble(t, func(*testing.T) {
		s := &scene{t: t, relations: newRelations()}
		s.handler = New(s.relations, func(k Key) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.added = append(s.added, k.String())
		})
		story(s)
		time.Sleep(time.Hour) // for whoever has begun something
	})
	if t.Failed() {
		t.FailNow()
	}
}

// take returns what was added since the last time, each once, and forgets it.
func (s *scene) take() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.Sort(s.added)
	all := strings.Join(slices.Compact(s.added), ", ")
	s.added = nil
	if all == "" {
		return nothing
	}
	return all
}

const (
	nothing  = "nothing"
	panicked = "a panic"
)

// object reads "mirror north/menu", "none north/menu today=soup", "namespace north", "pod north/web", and "nothing",
// which is an interface without a value. A word with = is data; one with : is an annotation; "going" is a
// deletionTimestamp.
func object(text string) any {
	words := strings.Fields(text)
	meta := metav1.ObjectMeta{ResourceVersion: "7"}
	if len(words) > 1 {
		meta.Namespace, meta.Name, _ = strings.Cut(words[1], "/")
	}
	if slices.Contains(words, "going") {
		meta.DeletionTimestamp = &metav1.Time{Time: time.Unix(1e9, 0)}
		meta.Finalizers = []string{"somebody.example.com/waits"}
	}
	switch words[0] {
	case "nothing":
		return nil
	case "namespace":
		meta.Namespace, meta.Name = "", words[1]
		return &corev1.Namespace{ObjectMeta: meta}
	case "pod":
		return &corev1.Pod{ObjectMeta: meta}
	}
	meta.Labels = map[string]string{Role: words[0]}
	if words[0] == "none" {
		meta.Labels = nil
	}
	c := &corev1.ConfigMap{ObjectMeta: meta}
	for _, word := range words[2:] {
		if key, value, ok := strings.Cut(word, "="); ok {
			c.Data = map[string]string{key: value}
		} else if key, value, ok := strings.Cut(word, ":"); ok {
			c.Annotations = map[string]string{key: value}
		} else if word != "going" {
			c.ResourceVersion = word
		}
	}
	return c
}

// tell calls the handler, and says what it added: "north/menu", or why it did not come to that.
//
//	add mirror north/menu                           OnAdd
//	initial mirror north/menu                       OnAdd, of the initial list
//	update source home/menu -> none home/menu       OnUpdate
//	delete mirror north/menu                        OnDelete
//	tombstone home/menu, last seen: mirror ...      OnDelete with a tombstone; "last seen: nothing" is one without Obj
func (s *scene) tell(event string) (got string) {
	verb, rest, _ := strings.Cut(event, " ")
	var objects []any
	began := time.Now()
	defer func() {
		if p := recover(); p != nil {
			got = fmt.Sprintf("%s: %v", panicked, p)
		}
	}()
	switch verb {
	case "add", "initial":
		objects = []any{object(rest)}
		before := copies(objects)
		s.handler.OnAdd(objects[0], verb == "initial")
		return s.after(began, before, objects)
	case "update":
		before, after, _ := strings.Cut(rest, " -> ")
		objects = []any{object(before), object(after)}
		copied := copies(objects)
		s.handler.OnUpdate(objects[0], objects[1])
		return s.after(began, copied, objects)
	case "delete":
		objects = []any{object(rest)}
		before := copies(objects)
		s.handler.OnDelete(objects[0])
		return s.after(began, before, objects)
	}
	key, last, _ := strings.Cut(rest, ", last seen: ")
	objects = []any{object(last)}
	before := copies(objects)
	s.handler.OnDelete(cache.DeletedFinalStateUnknown{Key: key, Obj: objects[0]})
	return s.after(began, before, objects)
}

func copies(objects []any) (all []any) {
	for _, o := range objects {
		if one, ok := o.(runtime.Object); ok {
			all = append(all, one.DeepCopyObject())
		} else {
			all = append(all, o)
		}
	}
	return all
}

// after is what the handler had added when it returned, unless it has done something besides.
func (s *scene) after(began time.Time, before, objects []any) string {
	got := s.take()
	if took := time.Since(began); took > 0 {
		return fmt.Sprintf("%s, and it returned after %v", got, took)
	}
	for i := range objects {
		if !equality.Semantic.DeepEqual(before[i], objects[i]) {
			return got + ", and an object was changed"
		}
	}
	synctest.Wait()
	if later := s.take(); later != nothing {
		return fmt.Sprintf("%s, and after it had returned %s", got, later)
	}
	return got
}

// clues are beliefs, by what singles them out.
type clues map[string]string

// always are beliefs that show wherever an event is told, by what the outcome has in it.
var always = clues{
	"and after it had returned": "the belief that a handler should get rid of its caller. The informer has a buffer for each " +
		"handler, and adding a key takes no time",
	"and it returned after": "the belief that a handler should wait until things have calmed down. The queue merges what comes " +
		"while a key waits",
	"and an object was changed": "the belief that the object of an event is the handler's. It is the cache's, and all who read " +
		"have the same one",
}

// adds tells an event, and expects what it adds.
func (s *scene) adds(event, want string, about clues) {
	s.t.Helper()
	got := s.tell(event)
	belief := about[got]
	if belief == "" {
		for part, b := range always {
			if strings.Contains(got, part) {
				belief = b
			}
		}
		if strings.HasPrefix(got, panicked) {
			belief = about[panicked]
		}
	}
	if got != want {
		exercise.Report(s.t, exercise.Verdict{Expected: fmt.Sprintf("%s: it adds %s", event, want),
			Happened: fmt.Sprintf("it added %s", got), PointsTo: belief})
	}
}
