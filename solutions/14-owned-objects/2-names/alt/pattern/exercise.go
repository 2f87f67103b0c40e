// Package names reads numbers with a pattern, and asks Next for one name more whenever one belongs to somebody else.
package names

import (
	"context"
	"regexp"
	"strconv"

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
	own := regexp.MustCompile("^" + regexp.QuoteMeta(owner.Name) + "-([0-9]+)$")
	highest := owner.Unused - 1
	for _, child := range children {
		if parts := own.FindStringSubmatch(child.Name); parts != nil {
			if number, _ := strconv.Atoi(parts[1]); number > highest {
				highest = number
			}
		}
	}
	names := make([]string, n)
	for i := range names {
		names[i] = owner.Name + "-" + strconv.Itoa(highest+1+i)
	}
	return names
}

// Missing returns how many children are to be made.
func Missing(wanted int, children []*metav1.PartialObjectMetadata) int {
	alive := 0
	for _, child := range children {
		if child.DeletionTimestamp.IsZero() {
			alive++
		}
	}
	if alive > wanted {
		return 0
	}
	return wanted - alive
}

// Create makes n children.
func Create(ctx context.Context, server Server, owner Owner, children []*metav1.PartialObjectMetadata, n int) (
	[]string, error) {
	names := []string{}
	for tried := 0; len(names) < n; tried++ {
		candidates := Next(owner, children, tried+1)
		name := candidates[tried]
		switch err := server.Create(ctx, name); {
		case apierrors.IsAlreadyExists(err):
			there, err := server.Get(ctx, name)
			if err != nil {
				return names, err // gone or not: the next run knows more
			}
			if there.DeletionTimestamp.IsZero() && controls(owner, there) {
				names = append(names, name)
			}
		case err != nil:
			return names, err
		default:
			names = append(names, name)
		}
	}
	return names, nil
}

// controls says whether an object is the owner's to manage.
func controls(owner Owner, o *metav1.PartialObjectMetadata) bool {
	for _, reference := range o.OwnerReferences {
		if reference.Controller != nil && *reference.Controller {
			return reference.UID == owner.UID
		}
	}
	return false
}
