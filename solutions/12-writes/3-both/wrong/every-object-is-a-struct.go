// Misconception: a status is a field of a Go struct.
// Caught by: TestBothAreSaved
// Message: panic: reflect: call of reflect.Value.Set on zero Value
// Base: alt/typed

//go:build wrong

package both

import (
	"reflect"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func setStatus(to, from client.Object) {
	reflect.ValueOf(to).Elem().FieldByName("Status").Set(reflect.ValueOf(from).Elem().FieldByName("Status"))
}
