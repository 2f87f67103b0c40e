// Package hierarchy takes what is gone from its list, and looks for the highest once more.
package hierarchy

import (
	"context"
	"regexp"
	"slices"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Children are those of the exercise.
type Children interface {
	List(ctx context.Context) ([]metav1.PartialObjectMetadata, error)
	Delete(ctx context.Context, name string, preconditions metav1.Preconditions) error
}

var behind = regexp.MustCompile(`^(.*)-(\d+)$`)

func number(child metav1.PartialObjectMetadata) int {
	match := behind.FindStringSubmatch(child.Name)
	if match == nil {
		return 0
	}
	n, _ := strconv.Atoi(match[2])
	return n
}

// Run implements the exercise.
func Run(ctx context.Context, children Children, set *metav1.PartialObjectMetadata) (done bool, err error) {
	if slices.Contains(set.GetFinalizers(), metav1.FinalizerOrphanDependents) {
		return true, nil
	}
	all, err := children.List(ctx)
	if err != nil {
		return false, err
	}
	all = slices.DeleteFunc(slices.Clone(all), func(child metav1.PartialObjectMetadata) bool {
		controller := metav1.GetControllerOf(&child)
		return controller == nil || controller.UID != set.UID
	})
	if slices.ContainsFunc(all, func(c metav1.PartialObjectMetadata) bool { return c.DeletionTimestamp != nil }) {
		return false, nil
	}
	return last(ctx, children, all)
}

func last(ctx context.Context, children Children, all []metav1.PartialObjectMetadata) (done bool, err error) {
	if len(all) == 0 {
		return true, nil
	}
	at := 0
	for i := range all {
		if number(all[i]) > number(all[at]) {
			at = i
		}
	}
	one := all[at]
	err = children.Delete(ctx, one.Name, *metav1.NewRVDeletionPrecondition(one.ResourceVersion).Preconditions)
	if apierrors.IsNotFound(err) {
		return last(ctx, children, slices.Delete(all, at, at+1))
	}
	return false, err
}
