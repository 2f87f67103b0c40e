package writes

import (
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/json"
)

// Operation is one operation of a JSON patch (RFC 6902).
type Operation struct {
	Op    string `json:"op"` // test, add, replace or remove
	Path  string `json:"path"`
	Value any    `json:"value"` // nothing to a remove
}

// MarshalJSON implements json.Marshaler. A test of null says so, and a remove has no value.
func (o Operation) MarshalJSON() ([]byte, error) {
	fields := Object{"op": o.Op, "path": o.Path, "value": o.Value}
	if o.Op == "remove" {
		delete(fields, "value")
	}
	return json.Marshal(fields)
}

// JSONPatch makes the JSON patch that turns before into after. What was added at the end of a list is added to whatever
// the list is by then, element by element; any other change of a list replaces it, and one that was not there is added
// whole, in the place of what another has made meanwhile. With tested, a test of the value that was read stands before
// each operation on one, and the API server does nothing if one fails. A value that was not there is tested to be null:
// RFC 6902 has no test for that, and the API server's library takes it so. What is added to the end of a list is not
// tested. The operations are in the order of their paths.
//
// Upstream has no counterpart: its clients take a JSON patch as text.
func JSONPatch(before, after Object, tested bool) []Operation {
	d := differ{tested: tested}
	d.object("", before, after)
	return d.operations
}

// differ collects operations.
type differ struct {
	tested     bool
	operations []Operation
}

// object compares two objects at a path.
func (d *differ) object(path string, before, after Object) {
	names := map[string]bool{}
	for _, o := range []Object{before, after} {
		for name := range o {
			names[name] = true
		}
	}
	for _, name := range sorted(names) {
		was, had := before[name]
		is, has := after[name]
		at := path + "/" + pointer(name)
		switch {
		case !had:
			d.changed(at, nil, Operation{"add", at, is})
		case !has:
			d.changed(at, was, Operation{Op: "remove", Path: at})
		default:
			d.value(at, was, is)
		}
	}
}

// value compares two values at a path.
func (d *differ) value(path string, was, is any) {
	if reflect.DeepEqual(was, is) {
		return
	}
	wasObject, one := was.(Object)
	isObject, two := is.(Object)
	if one && two {
		d.object(path, wasObject, isObject)
		return
	}
	if added, ok := appended(was, is); ok {
		for _, element := range added {
			d.operations = append(d.operations, Operation{"add", path + "/-", element})
		}
		return
	}
	d.changed(path, was, Operation{"replace", path, is})
}

// changed adds an operation about a value that was read.
func (d *differ) changed(path string, was any, o Operation) {
	if d.tested {
		d.operations = append(d.operations, Operation{"test", path, was})
	}
	d.operations = append(d.operations, o)
}

// appended is what a list has behind what another list has, if that is all.
func appended(was, is any) ([]any, bool) {
	before, one := was.([]any)
	after, two := is.([]any)
	if !one || !two || len(after) < len(before) || !reflect.DeepEqual(before, after[:len(before)]) {
		return nil, false
	}
	return after[len(before):], true
}

// pointer writes a name as a part of a JSON pointer (RFC 6901).
func pointer(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }

func sorted(names map[string]bool) []string {
	all := make([]string, 0, len(names))
	for name := range names {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}
