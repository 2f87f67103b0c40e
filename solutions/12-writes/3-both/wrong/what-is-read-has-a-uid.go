// Breaks: or if before and after differ in namespace, name or UID.
// Caught by: TestOtherObjects
// Message: Happened: nothing was sent

//go:build wrong

package both

import (
	"fmt"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// check says what keeps before and after from being one object that was read.
func check(before, after client.Object) error {
	if before.GetResourceVersion() == "" || before.GetUID() == "" {
		return fmt.Errorf("%s was not read: it has no resourceVersion", before.GetName())
	}
	if client.ObjectKeyFromObject(before) != client.ObjectKeyFromObject(after) || before.GetUID() != after.GetUID() {
		return fmt.Errorf("%s and %s are two objects", before.GetName(), after.GetName())
	}
	return nil
}
