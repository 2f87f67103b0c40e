package scenario

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
)

// Subject is a kind of objects that nobody but the writers touches.
type Subject struct {
	Kind    string
	Path    string // of a namespace's objects, with %s for the namespace
	Object  string // one of them, without its name
	Changes []Change
}

// Change is something that two writers want, and each its own.
type Change struct {
	Name string
	// Own is what one of the writers, 0 or 1, wants to own of the object that it has read.
	Own func(read Object, writer int) Object
	// Set changes an object that was read.
	Set func(object Object, writer int)
	// Kept says whether what a writer wanted is there, when both are through.
	Kept func(final Object, writer int) bool
}

// Writers are the names of two writers, as field managers.
var Writers = [2]string{"ann", "bob"}

// PodTemplate is a built-in kind that no controller touches. A list in it, containers, has names for keys.
func PodTemplate() Subject {
	at := []string{"template", "spec"}
	return Subject{
		Kind: "PodTemplate", Path: "/api/v1/namespaces/%s/podtemplates",
		Object: `{"apiVersion": "v1", "kind": "PodTemplate", "template": {"spec": {
			"containers": [{"name": "app", "image": "app:1"}]}}}`,
		Changes: []Change{
			twoFields(append(at, "hostname"), append(at, "subdomain"), "ann", "bob"),
			oneField(append(at, "hostname")),
			counter(append(at, "activeDeadlineSeconds")),
			list(append(at, "containers"), func(w string) Object { return Object{"name": w, "image": w + ":1"} }),
		},
	}
}

// Process is the book's own kind. A list in it, env, has names for keys.
func Process() Subject {
	return Subject{
		Kind: "Process", Path: "/apis/scratch.example.com/v1alpha1/namespaces/%s/processes",
		Object: `{"apiVersion": "scratch.example.com/v1alpha1", "kind": "Process", "spec": {"command": "sleep",
			"restartPolicy": "OnFailure", "env": [{"name": "TZ", "value": "UTC"}]}}`,
		Changes: []Change{
			twoFields([]string{"metadata", "annotations", "by"}, []string{"spec", "maxRestarts"}, "ann", int64(4)),
			oneField([]string{"metadata", "annotations", "by"}),
			counter([]string{"spec", "maxRestarts"}),
			list([]string{"spec", "env"}, func(w string) Object { return Object{"name": w, "value": "1"} }),
		},
	}
}

// Make is an object of the kind.
func (s Subject) Make(name string) Object {
	var o Object
	if err := json.Unmarshal([]byte(s.Object), &o); err != nil {
		panic(err) // it stands above
	}
	return writes.Merge(o, Object{"metadata": Object{"name": name}})
}

// URL is where the objects of a namespace are.
func (s Subject) URL(server, namespace string) string { return server + fmt.Sprintf(s.Path, namespace) }

func twoFields(anns, bobs []string, annsValue, bobsValue any) Change {
	paths, values := [][]string{anns, bobs}, []any{annsValue, bobsValue}
	return value("two fields", func(w int) []string { return paths[w] },
		func(_ Object, w int) any { return values[w] },
		func(final Object, w int) bool { return fmt.Sprint(field(final, paths[w]...)) == fmt.Sprint(values[w]) })
}

func oneField(path []string) Change {
	return value("one field", func(int) []string { return path },
		func(_ Object, w int) any { return Writers[w] },
		func(final Object, w int) bool { return field(final, path...) == Writers[w] })
}

// counter is a number to which each adds one.
func counter(path []string) Change {
	return value("a counter", func(int) []string { return path },
		func(read Object, _ int) any { return number(read, path...) + 1 },
		func(final Object, w int) bool { return w == 1 || number(final, path...) == 2 }) // the second one's is counted
}

// value is a change of one value.
func value(name string, path func(writer int) []string, of func(Object, int) any, kept func(Object, int) bool) Change {
	set := func(o Object, w int, value any) {
		if err := unstructured.SetNestedField(o, value, path(w)...); err != nil {
			panic(err) // the objects are this file's
		}
	}
	return Change{
		Name: name,
		Own: func(read Object, w int) Object {
			own := Object{}
			set(own, w, of(read, w))
			return own
		},
		Set:  func(o Object, w int) { set(o, w, of(o, w)) },
		Kept: kept,
	}
}

// list is a list with keys, to which each adds an element.
func list(path []string, element func(writer string) Object) Change {
	put := func(o Object, all []any) {
		if err := unstructured.SetNestedSlice(o, all, path...); err != nil {
			panic(err)
		}
	}
	return Change{
		Name: "a list",
		Own: func(_ Object, w int) Object {
			own := Object{}
			put(own, []any{element(Writers[w])})
			return own
		},
		Set: func(o Object, w int) {
			before, _, _ := unstructured.NestedSlice(o, path...)
			put(o, append(before, element(Writers[w])))
		},
		Kept: func(final Object, w int) bool {
			all, _, _ := unstructured.NestedSlice(final, path...)
			for _, one := range all {
				if o, ok := one.(Object); ok && o["name"] == Writers[w] {
					return true
				}
			}
			return false
		},
	}
}

// field is a value of an object, or nil.
func field(o Object, path ...string) any {
	value, _, _ := unstructured.NestedFieldNoCopy(o, path...)
	return value
}

// number is a number of an object, or 0.
func number(o Object, path ...string) int64 {
	switch n := field(o, path...).(type) {
	case int64:
		return n
	case float64:
		return int64(n)
	}
	return 0
}
