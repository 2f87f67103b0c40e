// Breaks: An answer 404 says what a document without entries says, and is remembered as one.
// Caught by: TestThisVeryKind
// Message: zoo.example.com/v3 Mouse: Find finds no match

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
		return nil, fmt.Errorf("asking for the resources of %s: %w", gv, err)
	}
	var list metav1.APIResourceList
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, fmt.Errorf("the resources of %s: %w", gv, err)
	}
	return list.APIResources, nil
}
