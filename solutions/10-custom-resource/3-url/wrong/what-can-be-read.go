// Breaks: A body that is no JSON is such an error, too.
// Caught by: TestAFailureIsNoAnswer
// Message: half a document: Find returns an error

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
		return nil, fmt.Errorf("asking for the resources of %s: %w", gv, err)
	}
	var list metav1.APIResourceList
	_ = json.Unmarshal(body, &list)
	return list.APIResources, nil
}
