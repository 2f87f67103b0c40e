// Misconception: the legacy group is below /apis, as all groups are.
// Caught by: TestTheNameIsInTheDocument
// Message: ServiceAccount is called v1 serviceaccounts

//go:build wrong

package url

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func root(gv schema.GroupVersion) string {
	return "/apis/" + gv.String()
}
