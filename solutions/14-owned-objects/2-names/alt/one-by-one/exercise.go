// Package names makes one child after the other by recursion, and tries a name again that has become free.
package names

import (
	"context"
	"errors"
	"fmt"
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
	if n == 0 {
		return nil
	}
	for _, child := range children {
		var number int
		if !strings.HasPrefix(child.Name, owner.Name+"-") {
			continue
		}
		if _, err := fmt.Sscanf(child.Name[len(owner.Name)+1:], "%d", &number); err == nil && number >= owner.Unused {
			owner.Unused = number + 1
		}
	}
	first := fmt.Sprint(owner.Name, "-", owner.Unused)
	owner.Unused++
	return append([]string{first}, Next(owner, nil, n-1)...)
}

// Missing returns how many children are to be made.
func Missing(wanted int, children []*metav1.PartialObjectMetadata) (missing int) {
	missing = wanted
	for i := range children {
		if children[i].DeletionTimestamp == nil && missing > 0 {
			missing--
		}
	}
	return missing
}

var errTaken = errors.New("the name is another object's")

// Create makes n children.
func Create(ctx context.Context, server Server, owner Owner, children []*metav1.PartialObjectMetadata, n int) (
	[]string, error) {
	if n == 0 {
		return nil, nil
	}
	var all []string
	for _, name := range Next(owner, children, n) {
		err := one(ctx, server, owner, name)
		if errors.Is(err, errTaken) {
			continue
		}
		if err != nil {
			return all, err
		}
		all = append(all, name)
	}
	last := &metav1.PartialObjectMetadata{}
	last.Name = Next(owner, children, n)[n-1]
	rest, err := Create(ctx, server, owner, append([]*metav1.PartialObjectMetadata{last}, children...), n-len(all))
	return append(all, rest...), err
}

// one makes one child, or finds it.
func one(ctx context.Context, server Server, owner Owner, name string) error {
	err := server.Create(ctx, name)
	if !apierrors.IsAlreadyExists(err) {
		return err
	}
	there, err := server.Get(ctx, name)
	if apierrors.IsNotFound(err) {
		return one(ctx, server, owner, name)
	}
	if err != nil {
		return err
	}
	by := metav1.GetControllerOfNoCopy(there)
	if by == nil || by.UID != owner.UID || there.DeletionTimestamp != nil {
		return errTaken
	}
	return nil
}
