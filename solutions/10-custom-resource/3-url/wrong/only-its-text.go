// Breaks: Find returns an error in which errors.Is finds it, and which meta.IsNoMatchError does not recognise.
// Caught by: TestAFailureIsNoAnswer
// Message: errors.Is finds what Get returned

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
	body, err := f.server.Get(root(gv))
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("asking for the resources of %s: %v", gv, err)
	}
	var list metav1.APIResourceList
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, fmt.Errorf("the resources of %s: %w", gv, err)
	}
	return list.APIResources, nil
}
