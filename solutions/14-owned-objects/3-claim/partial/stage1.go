// Two questions about each child: whose it is, and whether the selector matches.

//go:build partial

package claim

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

func Claim(ctx context.Context, api API, set *metav1.PartialObjectMetadata, selector labels.Selector,
	children []*metav1.PartialObjectMetadata) (mine []*metav1.PartialObjectMetadata, err error) {
	for _, child := range children {
		controller := metav1.GetControllerOf(child)
		if controller == nil || controller.UID != set.UID {
			continue
		}
		if selector.Matches(labels.Set(child.Labels)) {
			mine = append(mine, child)
		}
	}
	return mine, nil
}
