// Misconception: a list that fails is empty.
// Stage: 3

//go:build wrong

package hierarchy

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func Run(ctx context.Context, children Children, set *metav1.PartialObjectMetadata) (done bool, err error) {
	if slices.Contains(set.Finalizers, metav1.FinalizerOrphanDependents) {
		return true, nil
	}
	all, _ := children.List(ctx)
	var mine []metav1.PartialObjectMetadata
	for _, child := range all {
		if !metav1.IsControlledBy(&child, set) {
			continue
		}
		if child.DeletionTimestamp != nil {
			return false, nil
		}
		mine = append(mine, child)
	}
	slices.SortFunc(mine, func(a, b metav1.PartialObjectMetadata) int { return number(b) - number(a) })
	for _, child := range mine {
		err := remove(ctx, children, child)
		if !apierrors.IsNotFound(err) {
			return false, err
		}
	}
	return true, nil
}
