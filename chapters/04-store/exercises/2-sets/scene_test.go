package sets_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/exercises/2-sets"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// pod is an object. Its set is the ConfigMaps that it mounts, unless there is an error.
type pod struct {
	mounts []string
	err    error
}

// mounted is the function values of these tests. The slice is the pod's own. That of an error counts for nothing.
func mounted(p *pod) ([]string, error) {
	if p == nil {
		return []string{"nil"}, nil
	}
	return p.mounts, p.err
}

// with is a pod that mounts these ConfigMaps.
func with(mounts ...string) *pod { return &pod{mounts: mounts} }

// unreadable is an error of values.
type unreadable struct{ n int }

func (u unreadable) Error() string { return fmt.Sprintf("volume %d cannot be read", u.n) }

// broken is a pod for which values fails. It returns these values beside the error.
func broken(n int, mounts ...string) *pod { return &pod{mounts: mounts, err: unreadable{n}} }

// clues tells which belief a wrong state of the index, or a wrong answer, points to, written as in a verdict.
// One that is not in it points to the belief of [otherwise], if there is any.
type clues map[string]string

const otherwise = "otherwise"

func (c clues) about(got string) string {
	if belief, ok := c[got]; ok {
		return belief
	}
	return c[otherwise]
}

// scene is an index, what was done to it, and the values that it may know.
type scene struct {
	t    *testing.T
	x    *Index[*pod]
	log  []string
	seen map[string]bool
}

func begin(t *testing.T) *scene { return beginWith(t, mounted) }

func beginWith(t *testing.T, values func(*pod) ([]string, error)) *scene {
	return &scene{t: t, x: New(values), seen: map[string]bool{"unknown": true}}
}

// did writes down what the scene does next.
func (s *scene) did(format string, args ...any) { s.log = append(s.log, fmt.Sprintf(format, args...)) }

func (s *scene) story() string {
	if len(s.log) == 0 {
		return "before anything is put"
	}
	return "after " + strings.Join(s.log, ", then ")
}

// knows remembers the values of pods, to look for them from then on.
func (s *scene) knows(pods ...*pod) {
	for _, p := range pods {
		values, _ := mounted(p)
		for _, v := range values {
			s.seen[v] = true
		}
	}
}

// put puts a new pod.
func (s *scene) put(key string, mounts ...string) *pod {
	s.t.Helper()
	p := with(mounts...)
	s.putPod(key, p)
	return p
}

func (s *scene) putPod(key string, p *pod) {
	s.t.Helper()
	s.knows(p)
	s.did("Put of %s with %s", name(key), describe(p))
	s.fine("Put", s.x.Put(key, p))
}

func (s *scene) delete(key string) {
	s.did("Delete of %s", name(key))
	s.x.Delete(key)
}

func (s *scene) replace(objects map[string]*pod) {
	s.t.Helper()
	s.replacing(objects)
	s.fine("Replace", s.x.Replace(objects))
}

func (s *scene) replacing(objects map[string]*pod) {
	if objects == nil {
		s.did("Replace by a nil map")
		return
	}
	var what []string
	for _, key := range slices.Sorted(maps.Keys(objects)) {
		s.knows(objects[key])
		what = append(what, name(key)+" with "+describe(objects[key]))
	}
	if len(what) == 0 {
		what = []string{"nothing"}
	}
	s.did("Replace by %s", strings.Join(what, " and "))
}

// changes has the holder of a pod change it.
func (s *scene) changes(p *pod, to *pod) {
	was := describe(p)
	*p = *to
	s.knows(p)
	s.did("the pod with %s is changed in place to %s", was, describe(p))
}

// fine looks at the error of a call in which values did not fail.
func (s *scene) fine(method string, err error) {
	s.t.Helper()
	exercise.Expect(s.t, err == nil, exercise.Verdict{
		Expected: fmt.Sprintf("%s, %s returns no error: values did not fail", s.story(), method),
		Happened: fmt.Sprintf("it returned %q", fmt.Sprint(err)),
	})
}

const swallowed = "the belief that an object for which values fails may be left out. " +
	"Nobody is told then that the index is not true"

// refused calls a method with an object for which values fails, after [scene.did].
func (s *scene) refused(method string, p *pod, f func() error) error {
	s.t.Helper()
	s.knows(p)
	err := s.panics(method, p.err, f)
	exercise.Expect(s.t, err != nil, exercise.Verdict{
		Expected: fmt.Sprintf("%s, %s returns an error", s.story(), method),
		Happened: "it returned none",
		PointsTo: swallowed,
	})
	var as unreadable
	exercise.Expect(s.t, errors.Is(err, p.err) && errors.As(err, &as) && as == p.err, exercise.Verdict{
		Expected: fmt.Sprintf("%s, errors.Is and errors.As find the error of values, %q", s.story(), p.err),
		Happened: fmt.Sprintf("they did not find it in %q", err),
		PointsTo: "the belief that an error is a text. " +
			"Whoever wants to know which one it was asks errors.Is or errors.As",
	})
	return err
}

// panics calls f, and has a panic with the error of values end the test.
func (s *scene) panics(method string, with error, f func() error) error {
	s.t.Helper()
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		if !strings.Contains(fmt.Sprint(r), with.Error()) {
			panic(r)
		}
		exercise.Fail(s.t, exercise.Verdict{
			Expected: fmt.Sprintf("%s, %s returns an error", s.story(), method),
			Happened: fmt.Sprintf("it panicked: %v", r),
			PointsTo: "the belief that a function that fails is a mistake in the program. " +
				"It is given what somebody wrote into a cluster, and one bad object would stop all",
		})
	}()
	return f()
}

// namesKey looks for a key in the text of an error.
func (s *scene) namesKey(err error, key string) {
	s.t.Helper()
	exercise.Expect(s.t, strings.Contains(err.Error(), key), exercise.Verdict{
		Expected: fmt.Sprintf("%s, the text of the error contains the key %s", s.story(), name(key)),
		Happened: fmt.Sprintf("it was %q", err),
	})
}

// putBroken has Put refuse a pod.
func (s *scene) putBroken(key string, p *pod) {
	s.t.Helper()
	s.did("Put of %s with %s", name(key), describe(p))
	err := s.refused("Put", p, func() error { return s.x.Put(key, p) })
	if key != "" {
		s.namesKey(err, key)
	}
}

// replaceBroken has Replace refuse pods, for one of which values fails.
func (s *scene) replaceBroken(objects map[string]*pod) error {
	s.t.Helper()
	s.replacing(objects)
	var one *pod
	for _, p := range objects {
		if p.err != nil {
			one = p
		}
	}
	return s.refused("Replace", one, func() error { return s.x.Replace(objects) })
}

// holds looks at the whole index: which values it has, and the keys of each. The order is [TestSorted]'s.
func (s *scene) holds(about clues, want ...string) {
	s.t.Helper()
	expected := "empty"
	if len(want) > 0 {
		expected = strings.Join(want, "; ")
	}
	got := s.state()
	exercise.Expect(s.t, got == expected, exercise.Verdict{
		Expected: fmt.Sprintf("%s, the index is %s", s.story(), expected),
		Happened: "it was " + got,
		PointsTo: about.about(got),
	})
}

// state writes the index as [scene.holds] does.
func (s *scene) state() string {
	known := map[string]bool{}
	values := s.x.Values()
	for _, v := range values {
		known[v] = true
	}
	all := maps.Clone(s.seen)
	maps.Copy(all, known)
	var state []string
	for _, v := range slices.Sorted(maps.Keys(all)) {
		keys := sorted(s.x.Keys(v))
		switch {
		case known[v] && len(keys) == 0:
			state = append(state, name(v)+": no key")
		case known[v]:
			state = append(state, name(v)+": "+names(keys))
		case len(keys) > 0:
			state = append(state, name(v)+" (not in Values): "+names(keys))
		}
	}
	if len(values) > len(known) {
		state = append(state, "with values that are in Values twice")
	}
	if len(state) == 0 {
		return "empty"
	}
	return strings.Join(state, "; ")
}

// matching looks at the keys that match a pod.
func (s *scene) matching(about clues, p *pod, want ...string) {
	s.t.Helper()
	s.knows(p)
	keys, err := s.x.Matching(p)
	s.fine("Matching", err)
	got := names(sorted(keys))
	exercise.Expect(s.t, slices.Equal(sorted(keys), want), exercise.Verdict{
		Expected: fmt.Sprintf("%s, Matching of a pod with %s is %s", s.story(), describe(p), names(want)),
		Happened: "it was " + got,
		PointsTo: about.about(got),
	})
}

// byName sorts lines of a state by their values, as [scene.state] does.
func byName(lines ...string) []string {
	value := func(line string) string {
		line = line[:strings.LastIndex(line, ": ")]
		var v string
		if _, err := fmt.Sscanf(line, "%q", &v); err == nil {
			return v
		}
		return line
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(value(a), value(b)) })
	return lines
}

// model is an index that looks at each set for each answer.
type model map[string][]string

func (m model) lines() []string {
	keys := map[string]map[string]bool{}
	for key, set := range m {
		for _, v := range set {
			if keys[v] == nil {
				keys[v] = map[string]bool{}
			}
			keys[v][key] = true
		}
	}
	var lines []string
	for _, v := range slices.Sorted(maps.Keys(keys)) {
		lines = append(lines, name(v)+": "+names(slices.Sorted(maps.Keys(keys[v]))))
	}
	return lines
}

func (m model) matching(set []string) []string {
	keys := []string{}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if slices.ContainsFunc(m[key], func(v string) bool { return slices.Contains(set, v) }) {
			keys = append(keys, key)
		}
	}
	return keys
}

// replaced has Replace take a few objects, one of which may fail, and returns what the index holds then.
func replaced(s *scene, m model, random *rand.Rand, some func() []string) model {
	objects, next := map[string]*pod{}, model{}
	for _, key := range []string{"", "a", "b", "c"}[:random.IntN(4)] {
		set := some()
		objects[key], next[key] = with(set...), set
	}
	if random.IntN(2) == 0 {
		s.replace(objects)
		return next
	}
	objects["broken"] = broken(1, some()...)
	s.replaceBroken(objects)
	return m
}

// plain is a text that needs no quotes.
var plain = regexp.MustCompile(`^[a-z0-9-]+$`)

func name(s string) string {
	if plain.MatchString(s) {
		return s
	}
	return fmt.Sprintf("%q", s)
}

func names(s []string) string {
	if len(s) == 0 {
		return "none"
	}
	var all []string
	for _, v := range s {
		all = append(all, name(v))
	}
	return strings.Join(all, " ")
}

func describe(p *pod) string {
	switch {
	case p == nil:
		return "a nil pod"
	case p.err != nil && len(p.mounts) > 0:
		return fmt.Sprintf("values that fail (beside %s)", names(p.mounts))
	case p.err != nil:
		return "values that fail"
	case len(p.mounts) == 0:
		return "no values"
	}
	return names(p.mounts)
}

func sorted(s []string) []string { return slices.Sorted(slices.Values(s)) }

// difference says where a slice differs first from the one that was expected.
func difference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("it had %d, and at place %d %s instead of %s",
				len(got), i+1, name(got[i]), name(want[i]))
		}
	}
	return fmt.Sprintf("it had %d instead of %d", len(got), len(want))
}

// heap is how much memory is in use.
func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
