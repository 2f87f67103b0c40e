package reconcile_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/exercises/2-reconcile"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

const (
	group   = "g1"
	noWrite = "no write"
	failing = ", and an error" // what an outcome ends with if Reconcile returned one
	noRole  = "unmarked"       // how a ConfigMap is written that has no role
)

// place is the key that the tests reconcile.
var place = Key{Namespace: "web", Name: "colors"}

// object reads "mirror web/colors uid=u2 version=7 of=base/colors red=1": a role, a place, and what else there is. The
// UID is u1 and the resourceVersion 1 if they are not told. red=1 is in Data, and logo:=png in BinaryData: a _ is a
// space. The words immutable and mutable give Immutable a value, and deleting gives a deletionTimestamp.
func object(text string) *corev1.ConfigMap {
	words := strings.Fields(text)
	o := &corev1.ConfigMap{}
	o.Namespace, o.Name, _ = strings.Cut(words[1], "/")
	o.UID, o.ResourceVersion, o.Labels = "u1", "1", map[string]string{Group: group}
	if words[0] != noRole {
		o.Labels[Role] = words[0]
	}
	for _, word := range words[2:] {
		name, value, _ := strings.Cut(word, "=")
		value = strings.ReplaceAll(value, "_", " ")
		bytesOf, binary := strings.CutSuffix(name, ":")
		switch {
		case name == "uid":
			o.UID = types.UID(value)
		case name == "version":
			o.ResourceVersion = value
		case name == "of":
			o.Annotations = map[string]string{Of: value}
		case binary:
			o.BinaryData = put(o.BinaryData, bytesOf, []byte(value))
		case strings.Contains(word, "="):
			o.Data = put(o.Data, name, value)
		case word == "immutable" || word == "mutable":
			o.Immutable = new(word == "immutable")
		default: // deleting
			o.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
			o.Finalizers = []string{"example.com/hold"}
		}
	}
	return o
}

func put[V any](m map[string]V, key string, value V) map[string]V {
	if m == nil {
		m = map[string]V{}
	}
	m[key] = value
	return m
}

// shown writes what object reads, without UID and resourceVersion.
func shown(o *corev1.ConfigMap) string {
	if o == nil {
		return "nil"
	}
	words := []string{cmp.Or(o.Labels[Role], noRole), o.Namespace + "/" + o.Name}
	if of, ok := o.Annotations[Of]; ok {
		words = append(words, "of="+of)
	}
	for _, name := range slices.Sorted(maps.Keys(o.Data)) {
		words = append(words, name+"="+strings.ReplaceAll(o.Data[name], " ", "_"))
	}
	for _, name := range slices.Sorted(maps.Keys(o.BinaryData)) {
		words = append(words, name+":="+string(o.BinaryData[name]))
	}
	if o.Immutable != nil && *o.Immutable {
		words = append(words, "immutable")
	}
	if o.DeletionTimestamp != nil {
		words = append(words, "deleting")
	}
	if is := o.Labels[Group]; is != group {
		words = append(words, fmt.Sprintf("with the label Group %q", is))
	}
	return strings.Join(words, " ")
}

// A write is what the Writer was called with.
type write struct {
	verb   string
	object *corev1.ConfigMap // the one that was written, not a copy
	text   string            // what it was
	ctx    context.Context
}

// A scene is what the caches hold, and what was written.
type scene struct {
	t       *testing.T
	cached  string // what the caches hold, as text
	asks    map[string]bool
	objects []*corev1.ConfigMap
	err     error // of the last reconcile
	failed  bool

	mu     sync.Mutex
	writes []write            // of the last reconcile
	answer func(*write) error // of the Writer, or nil
}

// play tells a story that begins with what the caches hold: "web asks; source base/colors red=1; ...".
func play(t *testing.T, cached string, story func(*scene)) {
	t.Helper()
	exercise.Bubble(t, func(*testing.T) {
		s := &scene{t: t}
		s.hold(cached)
		story(s)
	})
	if t.Failed() {
		t.FailNow()
	}
}

// hold has the caches hold this from now on.
func (s *scene) hold(cached string) {
	s.cached, s.asks, s.objects = cached, map[string]bool{}, nil
	for _, text := range strings.Split(cached, "; ") {
		if namespace, ok := strings.CutSuffix(text, " asks"); ok {
			s.asks[namespace] = true
		} else if text != "nothing" {
			s.objects = append(s.objects, object(text))
		}
	}
}

// reconcile calls Reconcile, and returns the outcome.
func (s *scene) reconcile() string { return s.reconcileWith(context.Background()) }

func (s *scene) reconcileWith(ctx context.Context) string {
	s.mu.Lock()
	s.writes = nil
	s.mu.Unlock()
	s.err = Reconcile(ctx, place, reader{s}, writer{s})
	return s.outcome()
}

// outcome says what the last call of Reconcile has written, and whether it has returned an error.
func (s *scene) outcome() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var texts []string
	for _, w := range s.writes {
		texts = append(texts, w.text)
	}
	got := cmp.Or(strings.Join(texts, "; "), noWrite)
	if s.err != nil {
		got += failing
	}
	return got
}

// told says what the caches hold, and explains the words that do not explain themselves.
func (s *scene) told() string {
	var legend []string
	for _, sign := range []struct{ word, means string }{
		{":=", ":= is in BinaryData"},
		{noRole + " ", "what is unmarked has the label Group and no Role"},
		{"other web/", "what begins with other has that as its Role"},
		{" mutable", "mutable is an Immutable that is false"},
		{" deleting", "deleting is a deletionTimestamp"},
	} {
		if strings.Contains(s.cached, sign.word) {
			legend = append(legend, sign.means)
		}
	}
	if legend == nil {
		return "the caches hold: " + s.cached
	}
	return fmt.Sprintf("the caches hold: %s (%s)", s.cached, strings.Join(legend, "; "))
}

// said is an outcome with the text of the error.
func (s *scene) said(outcome string) string {
	if s.err != nil {
		return fmt.Sprintf("%s: %q", outcome, s.err.Error())
	}
	return outcome
}

// showCreated has the caches show what was created, as the API server made it.
func (s *scene) showCreated() *corev1.ConfigMap {
	if len(s.writes) != 1 || s.writes[0].verb != "Create" || s.writes[0].object == nil {
		s.expect(false, exercise.Verdict{
			Expected: fmt.Sprintf("%s. Reconcile of %s: one Create", s.told(), place),
			Happened: s.said(s.outcome()),
		})
		return object("mirror web/colors")
	}
	o := s.writes[0].object.DeepCopy()
	o.UID, o.ResourceVersion, o.CreationTimestamp = "u9", "20", metav1.Now()
	s.objects = append(s.objects, o)
	return o
}

// expect is exercise.Expect in a bubble: the scene has to end all the same.
func (s *scene) expect(ok bool, v exercise.Verdict) {
	s.t.Helper()
	if !ok && !s.failed {
		s.failed = true
		exercise.Report(s.t, v)
	}
}

// clues are beliefs, by the outcome that singles them out.
type clues map[string]string

// does expects an outcome of Reconcile.
func (s *scene) does(about clues, want string) {
	s.t.Helper()
	got := s.reconcile()
	s.expect(got == want, exercise.Verdict{
		Expected: fmt.Sprintf("%s. Reconcile of %s: %s", s.told(), place, want),
		Happened: s.said(got),
		PointsTo: about[got],
	})
}

// does expects an outcome of Reconcile in a scene of its own.
func does(t *testing.T, about clues, cached, want string) {
	t.Helper()
	play(t, cached, func(s *scene) { s.does(about, want) })
}

// reader is the scene as a Reader.
type reader struct{ s *scene }

func (r reader) Asks(namespace string) bool { return r.s.asks[namespace] }

func (r reader) Sources(name string) []*corev1.ConfigMap {
	var sources []*corev1.ConfigMap
	for _, o := range r.s.objects {
		if o.Name == name && o.Labels[Role] == Source {
			sources = append(sources, o)
		}
	}
	return sources
}

func (r reader) Get(key Key) (*corev1.ConfigMap, bool) {
	for _, o := range r.s.objects {
		if o.Namespace == key.Namespace && o.Name == key.Name {
			return o, true
		}
	}
	return nil, false
}

// writer is the scene as a Writer. It writes down what it is called with, and the caches do not show it.
type writer struct{ s *scene }

func (w writer) Create(ctx context.Context, o *corev1.ConfigMap) error {
	return w.s.write(&write{verb: "Create", ctx: ctx, object: o, text: "Create " + shown(o)})
}

func (w writer) Update(ctx context.Context, o *corev1.ConfigMap) error {
	return w.s.write(&write{verb: "Update", ctx: ctx, object: o, text: "Update " + shown(o)})
}

func (w writer) Delete(ctx context.Context, key Key, p metav1.Preconditions) error {
	words := []string{"Delete", key.String()}
	if p.UID != nil || p.ResourceVersion != nil {
		words = append(words, "if")
	}
	if p.UID != nil {
		words = append(words, "uid="+string(*p.UID))
	}
	if p.ResourceVersion != nil {
		words = append(words, "version="+*p.ResourceVersion)
	}
	return w.s.write(&write{verb: "Delete", ctx: ctx, text: strings.Join(words, " ")})
}

func (s *scene) write(w *write) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writes = append(s.writes, *w)
	if s.answer != nil {
		return s.answer(w)
	}
	return nil
}
