package mutation

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// Field is one that changed.
type Field struct {
	// Path is as in the object's JSON: metadata.labels[color], spec.containers[0].image.
	Path string
	// Was and Is are its values, as text; "absent" is a field, an element or an entry that is not there.
	Was, Is string
}

// String is the field in one line.
func (f Field) String() string { return f.Path + ": " + f.Was + " -> " + f.Is }

// changed compares two objects of one type, unexported fields included. What has a method Equal is equal by that: a
// resource.Quantity that was only printed, and keeps its text since then, has not changed.
func changed(was, is any) []Field {
	var found fields
	cmp.Equal(was, is, cmp.Reporter(&found), cmp.Exporter(func(reflect.Type) bool { return true }))
	return found.all
}

// fields collects the differences that cmp walks past.
type fields struct {
	path cmp.Path
	all  []Field
}

func (f *fields) PushStep(step cmp.PathStep) { f.path = append(f.path, step) }
func (f *fields) PopStep()                   { f.path = f.path[:len(f.path)-1] }

func (f *fields) Report(result cmp.Result) {
	if result.Equal() {
		return
	}
	was, is := f.path.Last().Values()
	f.all = append(f.all, Field{Path: pathOf(f.path), Was: text(was), Is: text(is)})
}

// pathOf names a path as JSON does.
func pathOf(path cmp.Path) string {
	var b strings.Builder
	for i, step := range path {
		switch s := step.(type) {
		case cmp.StructField:
			b.WriteString(jsonName(path.Index(i-1).Type(), s))
		case cmp.MapIndex:
			fmt.Fprintf(&b, "[%v]", s.Key())
		case cmp.SliceIndex:
			before, after := s.SplitKeys()
			fmt.Fprintf(&b, "[%d]", max(before, after))
		}
	}
	return strings.TrimPrefix(b.String(), ".")
}

// jsonName is a field's name in JSON with a dot before it, its name in Go where it has none, and nothing for a struct
// whose fields are the outer one's.
func jsonName(in reflect.Type, step cmp.StructField) string {
	field, ok := in.FieldByName(step.Name())
	name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	switch {
	case ok && strings.Contains(options, "inline"), ok && field.Anonymous && name == "":
		return ""
	case name == "" || name == "-":
		return "." + step.Name()
	}
	return "." + name
}

// text is a value as JSON, which tells an empty map from none, in at most half a line.
func text(v reflect.Value) string {
	if !v.IsValid() {
		return "absent"
	}
	long := fmt.Sprintf("%+v", v)
	if v.CanInterface() {
		if asJSON, err := json.Marshal(v.Interface()); err == nil {
			long = string(asJSON)
		}
	}
	if runes := []rune(long); len(runes) > 60 {
		return string(runes[:57]) + "..."
	}
	return long
}
