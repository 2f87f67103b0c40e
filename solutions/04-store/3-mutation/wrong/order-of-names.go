// Breaks: Check compares each object that is watched with what it was, and returns a Mutation for each one that
// somebody wrote to, in the order in which they were added.
// Caught by: TestOrder
// Message: it reported beans@7, received by nobody; milk@7

//go:build wrong

package mutation

import (
	"reflect"
	"strings"
)

func (d *Detector[T]) inOrder(a, b T) int { return strings.Compare(nameOf(a), nameOf(b)) }

func nameOf(object any) string {
	return reflect.ValueOf(object).Elem().FieldByName("Name").String()
}
