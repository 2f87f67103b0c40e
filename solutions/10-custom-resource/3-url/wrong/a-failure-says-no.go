// Misconception: a group version that can't be asked has no kinds.
// Caught by: TestAFailureIsNoAnswer
// Message: an answer 503: Find returns an error that meta.IsNoMatchError does not recognise

//go:build wrong

package url

import (
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (f *Finder) ask(gv schema.GroupVersion) ([]metav1.APIResource, error) {
	body, err := f.server.Get(root(gv))
	if err != nil {
		return nil, nil
	}
	var list metav1.APIResourceList
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, fmt.Errorf("the resources of %s: %w", gv, err)
	}
	return list.APIResources, nil
}
