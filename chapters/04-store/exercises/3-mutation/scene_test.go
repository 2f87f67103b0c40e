package mutation_test

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/exercises/3-mutation"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// kind is a type of objects. The detector knows no more of it than that it is an [Object].
type kind[T Object[T]] struct {
	word string
	made func(name, version string) T
	flat func(name, version string) T // one without pointers in it, but with all that JSON leaves out
	// writes are one for each level, or more.
	writes []write[T]
	// first and second are two of them, undo takes back the first, and same changes no value.
	first, second, undo, same write[T]
}

// write is a way to write to an object.
type write[T any] struct {
	what string
	do   func(T)
	// level is 0 for a field of the object itself, 1 for what such a field leads to, 2 for what lies behind that.
	level int
}

// recipes are objects with what the exercise's DeepCopy has to do with.
var recipes = kind[*Recipe]{
	word: "*Recipe",
	made: func(name, version string) *Recipe {
		return &Recipe{
			Name: name, ResourceVersion: version,
			Labels:     map[string]string{"course": "first", "season": "winter"},
			Finalizers: []string{"wash", "dry"},
			Owner:      &Owner{Name: "menu", Controller: new(true)},
			Amounts:    map[string]map[string]int{"2": {"salt": 1, "peas": 300}, "4": {"salt": 2}, "0": nil},
			Steps: []Step{
				{Text: "soak", Uses: []string{"bowl", "water"}, Minutes: new(60)},
				{Text: "boil", Uses: []string{}},
			},
		}
	},
	flat: func(name, version string) *Recipe {
		return &Recipe{Name: name, ResourceVersion: version, Labels: map[string]string{}, Finalizers: []string{}}
	},
	writes: []write[*Recipe]{
		{`Name = "x"`, func(r *Recipe) { r.Name = "x" }, 0},
		{`ResourceVersion = "8"`, func(r *Recipe) { r.ResourceVersion = "8" }, 0},
		{`ResourceVersion = ""`, func(r *Recipe) { r.ResourceVersion = "" }, 0},
		{`Labels["course"] = "main"`, func(r *Recipe) { r.Labels["course"] = "main" }, 1},
		{`Labels["new"] = ""`, func(r *Recipe) { r.Labels["new"] = "" }, 1},
		{`delete(Labels, "season")`, func(r *Recipe) { delete(r.Labels, "season") }, 1},
		{`Labels = nil`, func(r *Recipe) { r.Labels = nil }, 0},
		{`Finalizers[1] = "iron"`, func(r *Recipe) { r.Finalizers[1] = "iron" }, 1},
		{`Finalizers = Finalizers[:1]`, func(r *Recipe) { r.Finalizers = r.Finalizers[:1] }, 0},
		{`Finalizers = []string{"wash dry"}`, func(r *Recipe) { r.Finalizers = []string{"wash dry"} }, 0},
		{`Finalizers = []string{"wash,dry"}`, func(r *Recipe) { r.Finalizers = []string{"wash,dry"} }, 0},
		{`slices.Reverse(Finalizers)`, func(r *Recipe) { slices.Reverse(r.Finalizers) }, 1},
		{`Owner = nil`, func(r *Recipe) { r.Owner = nil }, 0},
		{`Owner.Name = "x"`, func(r *Recipe) { r.Owner.Name = "x" }, 1},
		{`Owner.Controller = nil`, func(r *Recipe) { r.Owner.Controller = nil }, 1},
		{`*Owner.Controller = false`, func(r *Recipe) { *r.Owner.Controller = false }, 2},
		{`delete(Amounts, "4")`, func(r *Recipe) { delete(r.Amounts, "4") }, 1},
		{`Amounts["0"] = map[string]int{}`, func(r *Recipe) { r.Amounts["0"] = map[string]int{} }, 1},
		{`Amounts["2"]["salt"] = 5`, func(r *Recipe) { r.Amounts["2"]["salt"] = 5 }, 2},
		{`delete(Amounts["4"], "salt")`, func(r *Recipe) { delete(r.Amounts["4"], "salt") }, 2},
		{`Steps = append(Steps, Step{})`, func(r *Recipe) { r.Steps = append(r.Steps, Step{}) }, 0},
		{`Steps[1].Text = "fry"`, func(r *Recipe) { r.Steps[1].Text = "fry" }, 1},
		{`Steps[1].Uses = nil`, func(r *Recipe) { r.Steps[1].Uses = nil }, 1},
		{`Steps[1].Uses = []string{""}`, func(r *Recipe) { r.Steps[1].Uses = []string{""} }, 1},
		{`Steps[0].Uses[1] = "milk"`, func(r *Recipe) { r.Steps[0].Uses[1] = "milk" }, 2},
		{`*Steps[0].Minutes = 90`, func(r *Recipe) { *r.Steps[0].Minutes = 90 }, 2},
		{`Steps[1].Minutes = new(0)`, func(r *Recipe) { r.Steps[1].Minutes = new(0) }, 1},
	},
	first:  write[*Recipe]{`Labels["course"] = "main"`, func(r *Recipe) { r.Labels["course"] = "main" }, 1},
	second: write[*Recipe]{`*Steps[0].Minutes = 90`, func(r *Recipe) { *r.Steps[0].Minutes = 90 }, 2},
	undo:   write[*Recipe]{`Labels["course"] = "first"`, func(r *Recipe) { r.Labels["course"] = "first" }, 1},
	same: write[*Recipe]{`Labels = maps.Clone(Labels), Owner = new(*Owner)`, func(r *Recipe) {
		r.Labels, r.Owner = maps.Clone(r.Labels), new(*r.Owner)
	}, 0},
}

// otherObject is a type of the tests, with a DeepCopy that is right. It has what a recipe has not: fields that are not
// exported, and a tree like that of an unstructured object.
type otherObject struct {
	Name            string            `json:"name"`
	ResourceVersion string            `json:"resourceVersion,omitempty"`
	Data            map[string]string `json:"data,omitempty"`
	Spec            map[string]any    `json:"spec,omitempty"`
	Next            **otherObject     `json:"next,omitempty"`
	count           int
	hidden          *hidden
}

type hidden struct{ values [][]int }

// GetName and GetResourceVersion are what apimachinery's types have, too.
func (o *otherObject) GetName() string            { return o.Name }
func (o *otherObject) GetResourceVersion() string { return o.ResourceVersion }

// DeepCopy is what the exercise asks for, of a recipe.
func (o *otherObject) DeepCopy() *otherObject {
	if o == nil {
		return nil
	}
	c := *o
	c.Data = maps.Clone(o.Data)
	c.Spec, _ = copyTree(o.Spec).(map[string]any)
	if o.Next != nil {
		c.Next = new((*o.Next).DeepCopy())
	}
	if o.hidden != nil {
		values := slices.Clone(o.hidden.values)
		for i := range values {
			values[i] = slices.Clone(values[i])
		}
		c.hidden = &hidden{values}
	}
	return &c
}

func copyTree(tree any) any {
	switch tree := tree.(type) {
	case map[string]any:
		c := maps.Clone(tree)
		for key := range c {
			c[key] = copyTree(c[key])
		}
		return c
	case []any:
		c := slices.Clone(tree)
		for i := range c {
			c[i] = copyTree(c[i])
		}
		return c
	}
	return tree
}

var others = kind[*otherObject]{
	word: "*otherObject",
	made: func(name, version string) *otherObject {
		return &otherObject{
			Name: name, ResourceVersion: version,
			Data:   map[string]string{"a": "1", "b": "2"},
			Spec:   map[string]any{"size": map[string]any{"list": []any{"x", "y"}, "empty": []any{}}},
			Next:   new(&otherObject{Name: "next", Data: map[string]string{}}),
			count:  1,
			hidden: &hidden{[][]int{{1, 2}, {3}}},
		}
	},
	flat: func(name, version string) *otherObject {
		return &otherObject{Name: name, ResourceVersion: version, Data: map[string]string{}, count: 1}
	},
	writes: []write[*otherObject]{
		{`ResourceVersion = "8"`, func(o *otherObject) { o.ResourceVersion = "8" }, 0},
		{`Data["a"] = "3"`, func(o *otherObject) { o.Data["a"] = "3" }, 1},
		{`Data = nil`, func(o *otherObject) { o.Data = nil }, 0},
		{`Spec["size"]["list"][1] = "z"`, func(o *otherObject) { size(o)["list"].([]any)[1] = "z" }, 2},
		{`delete(Spec["size"], "empty")`, func(o *otherObject) { delete(size(o), "empty") }, 2},
		{`(*Next).Name = "x"`, func(o *otherObject) { (*o.Next).Name = "x" }, 2},
		{`*Next = nil`, func(o *otherObject) { *o.Next = nil }, 1},
		{`(*Next).Data = nil (it was empty)`, func(o *otherObject) { (*o.Next).Data = nil }, 2},
		{`count = 2`, func(o *otherObject) { o.count = 2 }, 0},
		{`hidden.values[0][1] = 9`, func(o *otherObject) { o.hidden.values[0][1] = 9 }, 2},
		{`hidden = nil`, func(o *otherObject) { o.hidden = nil }, 0},
	},
	first:  write[*otherObject]{`Data["a"] = "3"`, func(o *otherObject) { o.Data["a"] = "3" }, 1},
	second: write[*otherObject]{`(*Next).Name = "x"`, func(o *otherObject) { (*o.Next).Name = "x" }, 2},
	undo:   write[*otherObject]{`Data["a"] = "1"`, func(o *otherObject) { o.Data["a"] = "1" }, 1},
	same: write[*otherObject]{`Data = maps.Clone(Data), Next = new(*Next)`, func(o *otherObject) {
		o.Data, o.Next = maps.Clone(o.Data), new(*o.Next)
	}, 0},
}

// nilAndEmpty make a map or a slice of a recipe nil, or empty.
var nilAndEmpty = []write[*Recipe]{
	{`Labels = nil`, func(r *Recipe) { r.Labels = nil }, 0},
	{`Labels = map[string]string{}`, func(r *Recipe) { r.Labels = map[string]string{} }, 0},
	{`Finalizers = nil`, func(r *Recipe) { r.Finalizers = nil }, 0},
	{`Finalizers = []string{}`, func(r *Recipe) { r.Finalizers = []string{} }, 0},
	{`Owner = nil`, func(r *Recipe) { r.Owner = nil }, 0},
	{`Owner = &Owner{}`, func(r *Recipe) { r.Owner = &Owner{} }, 0},
	{`Amounts = nil`, func(r *Recipe) { r.Amounts = nil }, 0},
	{`Amounts = map[string]map[string]int{}`, func(r *Recipe) { r.Amounts = map[string]map[string]int{} }, 0},
	{`Amounts["2"] = nil`, func(r *Recipe) { r.Amounts["2"] = nil }, 1},
	{`Amounts["2"] = map[string]int{}`, func(r *Recipe) { r.Amounts["2"] = map[string]int{} }, 1},
	{`Steps = nil`, func(r *Recipe) { r.Steps = nil }, 0},
	{`Steps = []Step{}`, func(r *Recipe) { r.Steps = []Step{} }, 0},
	{`Steps[0].Uses = nil`, func(r *Recipe) { r.Steps[0].Uses = nil }, 1},
	{`Steps[0].Uses = []string{}`, func(r *Recipe) { r.Steps[0].Uses = []string{} }, 1},
	{`Steps[0] = Step{}`, func(r *Recipe) { r.Steps[0] = Step{} }, 1},
}

func size(o *otherObject) map[string]any { return o.Spec["size"].(map[string]any) }

// differences says in what an object is not what it should be.
func differences(is, want any) string {
	is1, want1 := map[string]string{}, map[string]string{}
	leaves(reflect.ValueOf(is), "", is1)
	leaves(reflect.ValueOf(want), "", want1)
	var found []string
	both := maps.Clone(is1)
	maps.Copy(both, want1)
	for _, path := range slices.Sorted(maps.Keys(both)) {
		i, w := cmp.Or(is1[path], "missing"), cmp.Or(want1[path], "missing")
		if i != w {
			found = append(found, fmt.Sprintf("%s is %s instead of %s", strings.TrimPrefix(path, "."), i, w))
		}
	}
	return some(found, "; ")
}

// some joins the first of them.
func some(texts []string, with string) string {
	const enough = 4
	if len(texts) > enough {
		texts = append(texts[:enough-1:enough-1], fmt.Sprintf("%d more", len(texts)-enough+1))
	}
	return strings.Join(texts, with)
}

// leaves writes down what lies at the ends of an object, and where.
func leaves(v reflect.Value, path string, into map[string]string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			into[path] = "nil"
			return
		}
		into[path] = "not nil"
		leaves(v.Elem(), path, into)
	case reflect.Struct:
		for i := range v.NumField() {
			leaves(v.Field(i), path+"."+v.Type().Field(i).Name, into)
		}
	case reflect.Map, reflect.Slice:
		if v.Len() == 0 {
			into[path] = map[bool]string{true: "nil", false: "empty"}[v.IsNil()]
		}
		if v.Kind() == reflect.Slice {
			for i := range v.Len() {
				leaves(v.Index(i), fmt.Sprintf("%s[%d]", path, i), into)
			}
			return
		}
		for _, key := range v.MapKeys() {
			leaves(v.MapIndex(key), fmt.Sprintf("%s[%q]", path, key), into)
		}
	default:
		into[path] = fmt.Sprintf("%#v", v)
	}
}

// thing is an object in a scene, with what has to be known of it: how to make another one like it.
type thing[T Object[T]] struct {
	label   string
	object  T
	made    func() T   // makes what the object was in the beginning
	writes  []write[T] // all those that were made since
	watched bool
	was     int // that many writes had been made at the Add, or at the last report
}

// after is what the object was after the first n writes.
func (x *thing[T]) after(n int) T {
	object := x.made()
	for _, w := range x.writes[:n] {
		w.do(object)
	}
	return object
}

// scene is a detector with objects, and its story for the verdict.
type scene[T Object[T]] struct {
	t      *testing.T
	kind   kind[T]
	d      *Detector[T]
	things []*thing[T]
	log    []string
}

func begin[T Object[T]](t *testing.T, k kind[T]) *scene[T] {
	return &scene[T]{t: t, kind: k, d: New[T](), log: []string{fmt.Sprintf("New[%s]()", k.word)}}
}

// object makes an object that the detector has not seen.
func (s *scene[T]) object(name, version string) *thing[T] {
	x := &thing[T]{made: func() T { return s.kind.made(name, version) }}
	x.object = x.made()
	x.label = fmt.Sprintf("%s@%s", name, version)
	for _, other := range s.things {
		if other.label == x.label {
			x.label += " (another one)"
		}
	}
	s.things = append(s.things, x)
	return x
}

// added is a scene with objects of these names, watched.
func added[T Object[T]](t *testing.T, k kind[T], names ...string) (*scene[T], []*thing[T]) {
	s := begin(t, k)
	for _, name := range names {
		s.add(s.object(name, "7"))
	}
	return s, s.things
}

func (s *scene[T]) add(x *thing[T]) {
	s.say("Add(%s)", x.label)
	s.d.Add(x.object)
	if !x.watched {
		x.watched, x.was = true, len(x.writes)
	}
}

func (s *scene[T]) remove(x *thing[T]) {
	s.say("Remove(%s)", x.label)
	s.d.Remove(x.object)
	x.watched = false
}

func (s *scene[T]) received(x *thing[T], by ...string) {
	for _, b := range by {
		s.say("Received(%s, %q)", x.label, b)
		s.d.Received(x.object, b)
	}
}

// write writes to the object in one of the ways of its kind.
func (s *scene[T]) write(x *thing[T], w write[T]) {
	s.say("in %s, %s", x.label, w.what)
	w.do(x.object)
	x.writes = append(x.writes, w)
}

func (s *scene[T]) say(format string, args ...any) {
	s.log = append(s.log, fmt.Sprintf(format, args...))
}

func (s *scene[T]) story() string { return strings.Join(s.log, "; ") }

// report is what Check should say about an object.
type report[T Object[T]] struct {
	about *thing[T]
	by    []string
}

// by is the report about an object that these call sites received.
func (x *thing[T]) by(sites ...string) report[T] { return report[T]{x, sites} }

// clues tells which belief a result of Check points to. One that is not in it points to none. A result is written
// as [scene.describe] does it.
type clues map[string]string

// check calls Check, and looks at all that it returns.
func (s *scene[T]) check(about clues, want ...report[T]) []Mutation[T] {
	s.t.Helper()
	got := s.d.Check()
	var wanted []string
	for _, r := range want {
		wanted = append(wanted, describe(r.about.label, r.by))
	}
	if found := s.describe(got); !slices.Equal(wanted, found) {
		exercise.Fail(s.t, exercise.Verdict{
			Expected: fmt.Sprintf("after %s: Check reports %s", s.story(), list(wanted)),
			Happened: fmt.Sprintf("it reported %s", list(found)),
			PointsTo: about[list(found)],
		})
	}
	s.say("Check")
	for i, r := range want {
		s.was(r.about, got[i].Was)
		r.about.was = len(r.about.writes)
	}
	for _, x := range s.things {
		if left := x.after(len(x.writes)); !reflect.DeepEqual(x.object, left) {
			exercise.Fail(s.t, exercise.Verdict{
				Expected: fmt.Sprintf("after %s: %s is as it was left, since the detector writes to no object",
					s.story(), x.label),
				Happened: "in it, " + differences(x.object, left),
			})
		}
	}
	return got
}

// was looks at the copy in a report.
func (s *scene[T]) was(x *thing[T], was T) {
	s.t.Helper()
	right := x.after(x.was)
	if was != x.object && reflect.DeepEqual(was, right) {
		return
	}
	since := "its Add"
	if slices.Contains(s.log[:len(s.log)-1], "Check") {
		since = "its Add or its last report"
	}
	var happened string
	switch {
	case was == x.object:
		happened = "it is the same pointer as Object"
	case reflect.ValueOf(was).IsNil():
		happened = "it is nil"
	default:
		happened = "in Was, " + differences(was, right)
	}
	exercise.Fail(s.t, exercise.Verdict{
		Expected: fmt.Sprintf("after %s: Was in the report about %s is a copy of what it was at %s",
			s.story(), x.label, since),
		Happened: happened,
	})
}

// describe says what was reported.
func (s *scene[T]) describe(got []Mutation[T]) []string {
	var found []string
	for _, m := range got {
		label := "an object that was never added"
		for _, x := range s.things {
			if x.object == m.Object {
				label = x.label
			}
		}
		found = append(found, describe(label, m.ReceivedBy))
	}
	return found
}

func describe(label string, by []string) string {
	if len(by) == 0 {
		return label + ", received by nobody"
	}
	return fmt.Sprintf("%s, received by %s", label, strings.Join(by, " and "))
}

func list(reports []string) string {
	if len(reports) == 0 {
		return "nothing"
	}
	return strings.Join(reports, "; ")
}

// model is a slow detector, for objects whose writes are known.
type model[T Object[T]] struct {
	order []*thing[T]
	by    map[*thing[T]][]string
}

func (m *model[T]) add(x *thing[T]) {
	if !slices.Contains(m.order, x) {
		m.order = append(m.order, x)
	}
}

func (m *model[T]) remove(x *thing[T]) {
	m.order = slices.DeleteFunc(m.order, func(other *thing[T]) bool { return other == x })
	delete(m.by, x)
}

func (m *model[T]) received(x *thing[T], by string) {
	if !slices.Contains(m.order, x) || slices.Contains(m.by[x], by) {
		return
	}
	if m.by == nil {
		m.by = map[*thing[T]][]string{}
	}
	m.by[x] = append(m.by[x], by)
	slices.Sort(m.by[x])
}

// check goes before the detector's own, which begins anew with what it reports.
func (m *model[T]) check() (want []report[T]) {
	for _, x := range m.order {
		if reflect.DeepEqual(x.object, x.after(x.was)) {
			delete(m.by, x)
			continue
		}
		want = append(want, x.by(slices.Clone(m.by[x])...))
	}
	return want
}
