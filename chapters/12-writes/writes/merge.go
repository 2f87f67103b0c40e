package writes

import "reflect"

// Object is an object as JSON has it.
type Object = map[string]any

// MergePatch makes the JSON merge patch (RFC 7396) that turns before into after: what differs, and null for what is
// gone. A list is one value to it, and is in the patch whole if anything in it differs. It is empty if nothing
// differs. Both hold what encoding/json makes of JSON, and nothing of them is changed; the patch shares what it holds
// with after.
//
// One thing can't be said with it: a value can't become null, because null removes it.
//
// Upstream's counterpart is github.com/evanphx/json-patch/v5.CreateMergePatch, which takes and returns text.
func MergePatch(before, after Object) Object {
	patch := Object{}
	for name, is := range after {
		was, there := before[name]
		if there && reflect.DeepEqual(was, is) {
			continue
		}
		wasObject, one := was.(Object)
		isObject, two := is.(Object)
		if !one || !two {
			patch[name] = is
			continue
		}
		patch[name] = MergePatch(wasObject, isObject)
	}
	for name := range before {
		if _, there := after[name]; !there {
			patch[name] = nil
		}
	}
	return patch
}

// Merge is what the API server does with a merge patch. It returns a new object that shares values with both.
//
// Upstream's counterpart is github.com/evanphx/json-patch/v5.MergePatch.
func Merge(object, patch Object) Object {
	merged := Object{}
	for name, value := range object {
		merged[name] = value
	}
	for name, value := range patch {
		below, isObject := value.(Object)
		switch {
		case value == nil:
			delete(merged, name)
		case isObject:
			into, _ := merged[name].(Object) // what is no object gives way
			merged[name] = Merge(into, below)
		default:
			merged[name] = value
		}
	}
	return merged
}
