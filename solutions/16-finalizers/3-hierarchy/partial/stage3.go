// The very child, by its UID, and what comes of its deletion.

//go:build partial

package hierarchy

import (
	"context"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func Run(ctx context.Context, children Children, set *metav1.PartialObjectMetadata) (done bool, err error) {
	all, err := children.List(ctx)
	if err != nil {
		return false, err
	}
	var next *metav1.PartialObjectMetadata
	highest := -1
	for _, child := range all {
		if !metav1.IsControlledBy(&child, set) {
			continue
		}
		if child.DeletionTimestamp != nil {
			return false, nil
		}
		n, _ := strconv.Atoi(child.Name[strings.LastIndex(child.Name, "-")+1:])
		if n > highest {
			next, highest = &child, n
		}
	}
	if next == nil {
		return true, nil
	}
	err = children.Delete(ctx, next.Name, metav1.Preconditions{UID: &next.UID})
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	return false, err
}
