package scheme_test

import (
	"fmt"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/exercises/2-scheme"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestKnownTypes(t *testing.T) {
	exercise.Attempted(t)
	s := New()
	const before = "nothing is registered"
	has(t, s, before, &Mouse{}, nothing, nil)
	makes(t, s, before, zoo.WithKind("Mouse"), nothing, nil)
	s.AddKnownTypes(zoo, &Mouse{}, &Owl{})
	s.AddKnownTypes(zoo)
	const after = "Mouse and Owl are registered in zoo.example.com/v1"
	has(t, s, after, &Mouse{}, "zoo.example.com/v1 Mouse", nil)
	has(t, s, after, &Owl{}, "zoo.example.com/v1 Owl", nil)
	has(t, s, after, &Process{}, nothing, nil)
	makes(t, s, after, zoo.WithKind("Mouse"), "*scheme_test.Mouse", nil)
	makes(t, s, after, zoo.WithKind("Owl"), "*scheme_test.Owl", nil)
	makes(t, s, after, zoo.WithKind("Process"), nothing, nil)
	makes(t, s, after, zoo.WithKind("mouse"), nothing, nil)
	makes(t, s, after, zoo.WithKind("MouseList"), nothing, clues{
		"*scheme_test.Mouse": "the belief that a kind brings its list with it. A list is a type of its own"})
	has(t, New(), "another Scheme knows it", &Mouse{}, nothing, nil)
}

func TestNewIsNew(t *testing.T) {
	exercise.Attempted(t)
	s := New()
	const about = "an example with food was registered, that has a TypeMeta"
	example := &Mouse{Food: "cheese", TypeMeta: metav1.TypeMeta{Kind: "Mouse", APIVersion: "zoo.example.com/v1"}}
	shared := described(example)
	s.AddKnownTypes(zoo, example)
	makes(t, s, about, zoo.WithKind("Mouse"), "*scheme_test.Mouse", clues{
		shared: "the belief that the example is what a new object is made from. It says which Go type the kind has"})
	s.AddTypeDefaultingFunc(&Mouse{}, func(object any) { object.(*Mouse).Food = "grain" })
	makes(t, s, about+", and a function fills it in", zoo.WithKind("Mouse"), "*scheme_test.Mouse", clues{
		described(&Mouse{Food: "grain"}): "the belief that a new object has its defaults. A decoder fills in what it reads, and then " +
			"what is missing shows"})
	first, err := s.New(zoo.WithKind("Mouse"))
	if mouse, ok := first.(*Mouse); ok && err == nil && mouse != nil {
		mouse.Food = "crumbs"
	}
	makes(t, s, "what New returned was written to", zoo.WithKind("Mouse"), "*scheme_test.Mouse", nil)
}

func TestGroupsAndVersions(t *testing.T) {
	exercise.Attempted(t)
	const kind = "the belief that the Kind says it all. Anybody may have a kind of that name in a group of their own"
	const version = "the belief that one Go type is all versions of a kind. Each version has its own"
	s := New()
	s.AddKnownTypeWithName(zoo.WithKind("Mouse"), &Mouse{})
	s.AddKnownTypeWithName(farm.WithKind("Mouse"), &Owl{})
	const groups = "zoo has a Mouse of type Mouse, farm a Mouse of type Owl"
	makes(t, s, groups, zoo.WithKind("Mouse"), "*scheme_test.Mouse", clues{"*scheme_test.Owl": kind})
	makes(t, s, groups, farm.WithKind("Mouse"), "*scheme_test.Owl", clues{"*scheme_test.Mouse": kind})
	makes(t, s, groups, pets.WithKind("Mouse"), nothing, clues{"*scheme_test.Owl": kind, "*scheme_test.Mouse": kind})
	has(t, s, groups, &Mouse{}, "zoo.example.com/v1 Mouse", nil)
	has(t, s, groups, &Owl{}, "farm.example.com/v1 Mouse", nil)
	const versions = groups + ", v2 of zoo a Mouse of type Process"
	makes(t, s, groups, zoo2.WithKind("Mouse"), nothing, clues{"*scheme_test.Mouse": version})
	s.AddKnownTypeWithName(zoo2.WithKind("Mouse"), &Process{})
	makes(t, s, versions, zoo2.WithKind("Mouse"), "*scheme.Process", clues{"*scheme_test.Mouse": version})
	makes(t, s, versions, zoo.WithKind("Mouse"), "*scheme_test.Mouse", clues{"*scheme.Process": version})
}

func TestTwoTypesOfOneName(t *testing.T) {
	exercise.Attempted(t)
	const name = "the belief that a type is its name. Two packages may have one of that name"
	s := New()
	s.AddKnownTypes(zoo, &Process{})
	has(t, s, "the exercise's Process is registered, and not the test's", anotherProcess(), nothing,
		clues{"zoo.example.com/v1 Process": name})
	s.AddKnownTypes(farm, anotherProcess())
	const both = "the exercise's Process is registered in zoo, the test's in farm"
	has(t, s, both, anotherProcess(), "farm.example.com/v1 Process", clues{"farm.example.com/v1 Process, zoo.example.com/v1 Process": name})
	has(t, s, both, &Process{}, "zoo.example.com/v1 Process", nil)
	makes(t, s, both, zoo.WithKind("Process"), "*scheme.Process", nil)
	makes(t, s, both, farm.WithKind("Process"), "*scheme_test.Process", nil)
	const text = "the belief that a type is the text that reflection has for it. Two functions may each have one of that text"
	has(t, s, both+", and another function of the test has one of its own", processOfItsOwn(), nothing,
		clues{"farm.example.com/v1 Process": text})
	s.AddTypeDefaultingFunc(anotherProcess(), func(any) {})
	s.AddTypeDefaultingFunc(&Process{}, func(object any) { object.(*Process).Spec.Command = "sleep" })
	panicked := registered(func() { s.Default(anotherProcess()) })
	exercise.Expect(t, panicked == "no panic", exercise.Verdict{
		Expected: "each of two types that are called Process has a function of its own, and Default of the test's calls that one",
		Happened: panicked, PointsTo: name})
}

func TestSeveralKinds(t *testing.T) {
	exercise.Attempted(t)
	const one = "the belief that a type has one kind. Options and events have one in each group"
	last := clues{"farm.example.com/v1 Rat": one, "zoo.example.com/v1 Mouse": one}
	const all = "farm.example.com/v1 Rat, zoo.example.com/v1 Mouse, zoo.example.com/v1 Rodent, zoo.example.com/v2 Mouse"
	s := New()
	s.AddKnownTypes(zoo, &Mouse{})
	s.AddKnownTypeWithName(zoo.WithKind("Rodent"), &Mouse{})
	s.AddKnownTypes(zoo2, &Mouse{})
	s.AddKnownTypeWithName(farm.WithKind("Rat"), &Mouse{})
	const about = "Mouse is registered under four kinds"
	has(t, s, about, &Mouse{}, all, last)
	for _, kind := range []schema.GroupVersionKind{zoo.WithKind("Mouse"), zoo.WithKind("Rodent"),
		zoo2.WithKind("Mouse"), farm.WithKind("Rat")} {
		makes(t, s, about, kind, "*scheme_test.Mouse", nil)
	}
	kinds, err := s.ObjectKinds(&Mouse{})
	for i := range kinds {
		kinds[i] = pets.WithKind("Hamster")
	}
	exercise.Expect(t, err == nil, exercise.Verdict{
		Expected: about + ": ObjectKinds returns no error", Happened: fmt.Sprint(err)})
	has(t, s, "somebody has written to the slice that ObjectKinds returned", &Mouse{}, all, nil)
}

func TestOnceMore(t *testing.T) {
	exercise.Attempted(t)
	s := New()
	s.AddKnownTypes(zoo, &Mouse{}, &Owl{})
	got := registered(func() { s.AddKnownTypes(zoo, &Mouse{Food: "cheese"}, &Owl{}, &Process{}) })
	exercise.Expect(t, got == "no panic", exercise.Verdict{
		Expected: "Mouse is registered under its kind once more: nothing happens", Happened: got,
		PointsTo: "the belief that registering twice is a mistake. Two packages may both need a third one's types"})
	const about = "Mouse was registered twice under one kind"
	has(t, s, about, &Mouse{}, "zoo.example.com/v1 Mouse", nil)
	has(t, s, about+", together with Process", &Process{}, "zoo.example.com/v1 Process", nil)
}

func TestAKindIsTaken(t *testing.T) {
	exercise.Attempted(t)
	s := New()
	s.AddKnownTypes(zoo, &Mouse{})
	got := registered(func() { s.AddKnownTypeWithName(zoo.WithKind("Mouse"), &Owl{}) })
	exercise.Expect(t, got != "no panic", exercise.Verdict{
		Expected: "Mouse has the kind Mouse, and Owl is registered under it: a panic", Happened: got,
		PointsTo: "the belief that somebody has to win. Each winner makes objects of one type that another's code takes for its own"})
	const about = "the kind Mouse was refused to Owl"
	makes(t, s, about, zoo.WithKind("Mouse"), "*scheme_test.Mouse", nil)
	has(t, s, about, &Mouse{}, "zoo.example.com/v1 Mouse", nil)
	has(t, s, about, &Owl{}, nothing, nil)
}

func TestTypeMetaHasNoSay(t *testing.T) {
	exercise.Attempted(t)
	const say = "the belief that an object knows its kind. Most objects in a program have an empty TypeMeta, and nothing keeps it true"
	s := New()
	hamster := metav1.TypeMeta{Kind: "Hamster", APIVersion: "pets.example.com/v1"}
	s.AddKnownTypes(zoo, &Mouse{TypeMeta: hamster})
	const about = "an example was registered that says it is a Hamster"
	has(t, s, about, &Mouse{}, "zoo.example.com/v1 Mouse",
		clues{"zoo.example.com/v1 Hamster": say, "pets.example.com/v1 Hamster": say})
	has(t, s, "Mouse is registered, and one says it is a Hamster", &Mouse{TypeMeta: hamster}, "zoo.example.com/v1 Mouse",
		clues{"pets.example.com/v1 Hamster": say, nothing: say})
	s.AddKnownTypes(pets, &Owl{})
	has(t, s, "Process is not registered, and one says it is an Owl of pets.example.com",
		&Process{TypeMeta: metav1.TypeMeta{Kind: "Owl", APIVersion: "pets.example.com/v1"}}, nothing,
		clues{"pets.example.com/v1 Owl": say})
}

func TestDefaultIsByType(t *testing.T) {
	exercise.Attempted(t)
	s := New()
	calls, got := "", runtime.Object(nil)
	fill := func(name string) func(any) {
		return func(object any) {
			calls += name
			got, _ = object.(runtime.Object)
		}
	}
	expect := func(about string, object runtime.Object, want string) {
		t.Helper()
		calls, got = "", nil
		panicked := registered(func() { s.Default(object) })
		exercise.Expect(t, panicked == "no panic" && calls == want, exercise.Verdict{
			Expected: fmt.Sprintf("%s: Default of a %T calls the functions [%s]", about, object, want),
			Happened: fmt.Sprintf("it called [%s], and there was %s", calls, panicked)})
		exercise.Expect(t, want == "" || got == object, exercise.Verdict{
			Expected: fmt.Sprintf("%s: the function gets the object that Default got", about), Happened: "it got another one"})
	}
	expect("no function was added", &Mouse{}, "")
	s.AddTypeDefaultingFunc(&Mouse{}, fill("a"))
	expect("function a was added for Mouse, which is not registered", &Mouse{Food: "cheese"}, "a")
	expect("function a was added for Mouse", &Owl{}, "")
	says := metav1.TypeMeta{Kind: "Mouse", APIVersion: "zoo.example.com/v1"}
	expect("function a was added for Mouse, and an Owl says it is one", &Owl{TypeMeta: says}, "")
	s.AddKnownTypes(zoo, &Mouse{}, &Owl{})
	s.AddKnownTypeWithName(farm.WithKind("Rat"), &Mouse{})
	expect("Mouse is registered, and function a was added before", &Mouse{}, "a")
	s.AddTypeDefaultingFunc(&Owl{}, fill("b"))
	s.AddTypeDefaultingFunc(&Mouse{}, fill("c"))
	expect("function a was added for Mouse, then c", &Mouse{}, "c")
	expect("function b was added for Owl", &Owl{}, "b")
	s = New()
	expect("functions were added to another Scheme", &Mouse{}, "")
}

func TestAddToScheme(t *testing.T) {
	exercise.Attempted(t)
	s := New()
	AddToScheme(s)
	const about = "after AddToScheme"
	has(t, s, about, &Process{}, "scratch.example.com/v1alpha1 Process", nil)
	has(t, s, about, &ProcessList{}, "scratch.example.com/v1alpha1 ProcessList", clues{
		nothing: "the belief that a kind brings its list with it. A list is a type of its own"})
	makes(t, s, about, GroupVersion.WithKind("ProcessList"), "*scheme.ProcessList", nil)
}

func TestDefaultsOfAProcess(t *testing.T) {
	exercise.Attempted(t)
	empty, whole := process("", -1), process("", -1, -1, 7, -1)
	becomes(t, &empty, "{Always, 10 s}", nil)
	becomes(t, &whole, "{Always, 10 s, a probe each 5 s, a probe each 7 s, a probe each 5 s}", clues{
		"{Always, 10 s, a probe each nil, a probe each 7 s, a probe each nil}": "the belief that a Process is filled in when its " +
			"own fields are. Each probe has fields, too, and it is the slice's that have to be set"})
	becomes(t, &whole, "{Always, 10 s, a probe each 5 s, a probe each 7 s, a probe each 5 s}", nil)
}

func TestWhatIsSetStays(t *testing.T) {
	exercise.Attempted(t)
	const zero = "the belief that 0 is as good as nothing. That is what the pointer is for"
	never, none, probe := process("Never", 30, 1), process("OnFailure", 0), process("Always", 10, 0, -1)
	becomes(t, &never, "{Never, 30 s, a probe each 1 s}", nil)
	becomes(t, &none, "{OnFailure, 0 s}", clues{"{OnFailure, 10 s}": zero})
	becomes(t, &probe, "{Always, 10 s, a probe each 0 s, a probe each 5 s}", clues{
		"{Always, 10 s, a probe each 5 s, a probe each 5 s}": zero})
	unknown := process("Sometimes", 30)
	becomes(t, &unknown, "{Sometimes, 30 s}", clues{
		"{Always, 30 s}": "the belief that what is not known was not set. It is refused by somebody else, or from a newer version"})
}

func TestDefaultsOfAList(t *testing.T) {
	exercise.Attempted(t)
	list := &ProcessList{Items: []Process{process("", -1), process("Never", 0, -1), process("", -1)}}
	becomes(t, list, "[{Always, 10 s} {Never, 0 s, a probe each 5 s} {Always, 10 s}]", clues{
		"[{no policy, nil} {Never, 0 s, a probe each nil} {no policy, nil}]": "the belief that Default looks inside a list. It " +
			"calls the function of the list's type, and no other",
		"[{no policy, nil} {Never, 0 s, a probe each 5 s} {no policy, nil}]": "the belief that range hands out the items. It " +
			"hands out copies, which have the same probes",
	})
	becomes(t, &ProcessList{}, "[]", nil)
}

func TestPointersAreTheirOwn(t *testing.T) {
	exercise.Attempted(t)
	s := New()
	AddToScheme(s)
	list := &ProcessList{Items: []Process{process("", -1, -1, -1), process("", -1, -1)}}
	single := process("", -1, -1)
	s.Default(list)
	s.Default(&single)
	seen := map[*int32]bool{}
	for _, p := range append(list.Items, single) {
		pointers := []*int32{p.Spec.GracePeriodSeconds}
		for _, probe := range p.Spec.Probes {
			pointers = append(pointers, probe.PeriodSeconds)
		}
		for _, pointer := range pointers {
			exercise.Expect(t, pointer != nil, exercise.Verdict{
				Expected: "a list of 2 Processes with 3 probes, and a Process with one: 7 pointers", Happened: "one of them is nil"})
			exercise.Expect(t, !seen[pointer], exercise.Verdict{
				Expected: "a list of 2 Processes with 3 probes, and a Process with one: 7 pointers to 7 variables",
				Happened: "two of them point to the same variable",
				PointsTo: "the belief that equal values may be one variable. Whoever writes to one object writes to all"})
			seen[pointer] = true
		}
	}
}

func TestManyReaders(t *testing.T) {
	exercise.Attempted(t)
	s := New()
	AddToScheme(s)
	s.AddKnownTypes(zoo, &Mouse{}, &Owl{})
	s.AddKnownTypeWithName(farm.WithKind("Rat"), &Mouse{})
	var readers sync.WaitGroup
	for range 20 {
		readers.Go(func() {
			p := process("", -1)
			s.Default(&p)
			got := []string{kindsOf(s, &Mouse{}), made(s, zoo.WithKind("Owl")), kindsOf(s, &p), specs(&p)}
			want := []string{"farm.example.com/v1 Rat, zoo.example.com/v1 Mouse", "*scheme_test.Owl", "scratch.example.com/v1alpha1 Process",
				"{Always, 10 s}"}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				exercise.Report(t, exercise.Verdict{Expected: fmt.Sprintf("20 goroutines read at once: %v", want),
					Happened: fmt.Sprint(got)})
			}
		})
	}
	readers.Wait()
}
