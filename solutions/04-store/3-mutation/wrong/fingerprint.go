// Misconception: two objects are equal if their values make the same text, whatever stands between the values.
// Caught by: TestEachLevel
// Message: it reported nothing after Finalizers = []string{"wash,dry"}

//go:build wrong

package mutation

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

func (d *Detector[T]) Check() []Mutation[T] {
	d.mu.Lock()
	defer d.mu.Unlock()
	var found []Mutation[T]
	for _, object := range slices.SortedFunc(maps.Keys(d.watched), d.inOrder) {
		r := d.watched[object]
		if fingerprint(object) == fingerprint(r.was) {
			clear(r.receivedBy)
			continue
		}
		sites := slices.Sorted(maps.Keys(r.receivedBy))
		found = append(found, Mutation[T]{Object: object, Was: r.was, ReceivedBy: sites})
		r.was = object.DeepCopy()
	}
	return found
}

// fingerprint writes down all values that an object leads to, and none of the addresses.
func fingerprint(object any) string {
	var b bytes.Buffer
	describe(&b, reflect.ValueOf(object))
	return b.String()
}

func describe(b *bytes.Buffer, v reflect.Value) {
	switch v.Kind() {
	case reflect.Invalid:
		b.WriteString("nil")
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		b.WriteByte('&')
		if v.Kind() == reflect.Interface {
			b.WriteString(v.Elem().Type().String() + ":")
		}
		describe(b, v.Elem())
	case reflect.Struct:
		b.WriteByte('{')
		for i := range v.NumField() {
			fmt.Fprintf(b, "%s=", v.Type().Field(i).Name)
			describe(b, v.Field(i))
			b.WriteByte(';')
		}
		b.WriteByte('}')
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			b.WriteString("nil")
			return
		}
		b.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				b.WriteByte(',')
			}
			describe(b, v.Index(i))
		}
		b.WriteByte(']')
	case reflect.Map:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		var lines []string
		for _, key := range v.MapKeys() {
			var line bytes.Buffer
			describe(&line, key)
			line.WriteByte(':')
			describe(&line, v.MapIndex(key))
			lines = append(lines, line.String())
		}
		slices.Sort(lines)
		b.WriteString("map[" + strings.Join(lines, ",") + "]")
	default:
		fmt.Fprint(b, v) // fmt prints what the reflect.Value holds
	}
}
