// Misconception: a kind is known once the API server has said which groups it has.
// Caught by: TestRequests
// Message: at first, Find of v1 Pod: v1 pods, with GET /api/v1

//go:build wrong

package url

import (
	"encoding/json"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (f *Finder) ask(gv schema.GroupVersion) ([]metav1.APIResource, error) {
	if _, err := f.server.Get("/apis"); err != nil { // so that nothing is asked for that there is not
		return nil, err
	}
	body, err := f.server.Get(root(gv))
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("asking for the resources of %s: %w", gv, err)
	}
	var list metav1.APIResourceList
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, fmt.Errorf("the resources of %s: %w", gv, err)
	}
	return list.APIResources, nil
}
