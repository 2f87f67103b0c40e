// Package hierarchy finds the owner by hand, and has the children in a map by their numbers.
package hierarchy

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Children are those of the exercise.
type Children interface {
	List(ctx context.Context) ([]metav1.PartialObjectMetadata, error)
	Delete(ctx context.Context, name string, preconditions metav1.Preconditions) error
}

var errLost = errors.New("a child was picked that is not there")

func owned(child, set *metav1.PartialObjectMetadata) bool {
	for _, r := range child.OwnerReferences {
		if r.Controller != nil && *r.Controller {
			return r.UID == set.UID
		}
	}
	return false
}

// Run implements the exercise. A child without a number goes before all others.
func Run(ctx context.Context, children Children, set *metav1.PartialObjectMetadata) (done bool, err error) {
	for _, f := range set.Finalizers {
		if f == "orphan" {
			return true, nil
		}
	}
	list, err := children.List(ctx)
	if err != nil {
		return false, fmt.Errorf("list the children of %s: %w", set.Name, err)
	}
	highest := -1
	byNumber := map[int]metav1.PartialObjectMetadata{}
	for i := range list {
		if !owned(&list[i], set) {
			continue
		}
		if !list[i].DeletionTimestamp.IsZero() {
			return false, nil
		}
		parts := strings.Split(list[i].Name, "-")
		n, err := strconv.Atoi(parts[len(parts)-1])
		if err != nil {
			n = 1 << 30
		}
		highest = max(highest, n)
		byNumber[n] = list[i]
	}
	if highest < 0 {
		return true, nil
	}
	child, ok := byNumber[highest]
	if !ok {
		return false, errLost
	}
	uid, version := child.GetUID(), child.GetResourceVersion()
	err = children.Delete(ctx, child.Name, metav1.Preconditions{UID: &uid, ResourceVersion: &version})
	switch {
	case apierrors.IsNotFound(err):
		return len(byNumber) == 1, nil
	case err != nil:
		return false, fmt.Errorf("delete %s: %w", child.Name, err)
	}
	return false, nil
}
