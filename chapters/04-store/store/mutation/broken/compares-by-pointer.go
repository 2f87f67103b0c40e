// Guideline: S2-05
// Misconception: The detector has the object, so it can see when somebody changes it.
// Caught by: TestNamesObjectFieldsAndCallSites
// Message: should have 1 item(s), but has 0
// Base: detector.go

//go:build wrong

package mutation

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
)

func (d *Detector) watch(object any) *record {
	o, ok := object.(runtime.Object)
	if !ok || reflect.ValueOf(o).Kind() != reflect.Pointer || reflect.ValueOf(o).IsNil() {
		return nil
	}
	if r := d.byObject[o]; r != nil {
		return r
	}
	r := &record{object: o, copied: o} // the same memory: what is written to one is written to the other
	if d.byObject == nil {
		d.byObject = map[runtime.Object]*record{}
	}
	d.byObject[o] = r
	d.records = append(d.records, r)
	return r
}
