// Package names looks at a name before it creates, and looks again when somebody was faster.
package names

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Owner is a set.
type Owner struct {
	Name   string
	UID    types.UID
	Unused int // the set has noted that it has used all numbers below this one
}

// Server is the API server, past the cache.
type Server interface {
	// Create makes a child of the set. Its errors are those of the API server: AlreadyExists, and others.
	Create(ctx context.Context, name string) error
	// Get returns the object that has the name, or a NotFound.
	Get(ctx context.Context, name string) (*metav1.PartialObjectMetadata, error)
}

// Next returns the names for n more children.
func Next(owner Owner, children []*metav1.PartialObjectMetadata, n int) []string {
	numbers := []int{owner.Unused - 1}
	for _, child := range children {
		if at := strings.LastIndexByte(child.Name, '-'); at >= 0 && child.Name[:at] == owner.Name {
			if number, err := strconv.ParseInt(child.Name[at+1:], 10, 32); err == nil {
				numbers = append(numbers, int(number))
			}
		}
	}
	highest := slices.Max(numbers)
	names := []string{}
	for number := highest + 1; number <= highest+n; number++ {
		names = append(names, fmt.Sprintf("%s-%d", owner.Name, number))
	}
	return names
}

// Missing returns how many children are to be made.
func Missing(wanted int, children []*metav1.PartialObjectMetadata) int {
	alive := slices.DeleteFunc(slices.Clone(children), func(child *metav1.PartialObjectMetadata) bool {
		return child.GetDeletionTimestamp() != nil
	})
	return max(0, wanted-len(alive))
}

// Create makes n children.
func Create(ctx context.Context, server Server, owner Owner, children []*metav1.PartialObjectMetadata, n int) (
	got []string, err error) {
	for len(got) < n {
		name := Next(owner, children, 1)[0]
		there, err := server.Get(ctx, name)
		switch {
		case apierrors.IsNotFound(err):
			err := server.Create(ctx, name)
			if apierrors.IsAlreadyExists(err) {
				continue // the same name once more: now it is there
			}
			if err != nil {
				return got, err
			}
			got = append(got, name)
		case err != nil:
			return got, err
		case there.DeletionTimestamp == nil && metav1.IsControlledBy(there, &metav1.ObjectMeta{UID: owner.UID}):
			got = append(got, name)
		}
		number, _ := strconv.Atoi(strings.TrimPrefix(name, owner.Name+"-"))
		owner.Unused = number + 1 // in this copy
	}
	return got, nil
}
