// Breaks: or if before and after differ in namespace, name or UID.
// Caught by: TestWhatIsNotSent
// Message: Happened: returned was <nil>, and sent were: PATCH status at "41" {"status":{"ready":3}}, then PATCH object
// at "45" {"metadata":{"uid":"u2"},"spec":{"size":"large"}}

//go:build wrong

package both

import (
	"fmt"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// check says what keeps before and after from being one object that was read.
func check(before, after client.Object) error {
	if before.GetResourceVersion() == "" {
		return fmt.Errorf("%s was not read: it has no resourceVersion", before.GetName())
	}
	if client.ObjectKeyFromObject(before) != client.ObjectKeyFromObject(after) {
		return fmt.Errorf("%s and %s are two objects", before.GetName(), after.GetName())
	}
	return nil
}
