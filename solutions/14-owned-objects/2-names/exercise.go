// Package names is exercise 14.2: the names of a set's children, and whose the object is that has one already.
//
// A controller whose cache does not show web-2 yet computes that name once more, and the API server makes no second
// one:
//
//	Next(Owner{Name: "web"}, children, 2) // web-0 and web-1 are there: web-2, web-3
//
// Write Next, Missing and Create, stage by stage, from the standard library and what is imported here.
// docs/exercises.md says what holds for every exercise.
package names

import (
	"context"
	//solution:begin
	"fmt"
	"strconv"
	"strings"
	//solution:end

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

// Next returns the names for n more children. children are those of the owner that the cache shows, in any order.
//
// Stage 1: the next numbers
//
//   - A name is the owner's, a dash and a number. The numbers go on behind the highest that a child has, or begin at 0.
//   - A child that somebody else made, and the set adopted, may have another name: web-blue and web-db-3 have no
//     number of the set web.
//
// Stage 2: what holds a number
//
//   - A number is used once: those below owner.Unused are never chosen again.
//   - A child that is being deleted has its name until it is gone.
func Next(owner Owner, children []*metav1.PartialObjectMetadata, n int) []string {
	//solution:begin
	//todo: find the highest number, and count on
	//stub: return nil
	var names []string
	for number := first(owner, children); len(names) < n; number++ {
		names = append(names, name(owner, number))
	}
	return names
	//solution:end
}

// Missing returns how many children are to be made, so that there are as many alive as wanted.
//
// Stage 2: what holds a number
//
//   - It is never negative.
//   - A child with a deletionTimestamp is being deleted, and no longer counts as alive.
func Missing(wanted int, children []*metav1.PartialObjectMetadata) int {
	//solution:begin
	//todo: count those that are alive
	//stub: return 0
	for _, child := range children {
		if child.DeletionTimestamp == nil {
			wanted--
		}
	}
	return max(wanted, 0)
	//solution:end
}

// Create makes n children, one after the other, and returns their names.
//
// Stage 3: whose is the one that exists
//
//   - Their names are those of Next, as long as the server has no such object.
//   - When an object has the name already, the server says whose it is. If its controller is this very owner and it is
//     not being deleted, the cache is late: the object is one of the n.
//   - Any other object keeps its name, and the next number is tried.
//   - Any other error ends it: Create returns the error, and the names so far.
func Create(ctx context.Context, server Server, owner Owner, children []*metav1.PartialObjectMetadata, n int) (
	[]string, error) {
	//solution:begin
	//todo: create, and look at what exists
	//stub: _ = apierrors.IsAlreadyExists
	//stub: return nil, nil
	var made []string
	for number := first(owner, children); len(made) < n; number++ {
		name := name(owner, number)
		err := server.Create(ctx, name)
		mine := err == nil
		if apierrors.IsAlreadyExists(err) {
			mine, err = isOurs(ctx, server, owner, name)
		}
		if err != nil {
			return made, fmt.Errorf("creating %s: %w", name, err)
		}
		if mine {
			made = append(made, name)
		}
	}
	return made, nil
	//solution:end
}

//solution:begin

// first is the number of the next child.
func first(owner Owner, children []*metav1.PartialObjectMetadata) int {
	next := owner.Unused
	for _, child := range children {
		text, ours := strings.CutPrefix(child.Name, owner.Name+"-")
		if number, err := strconv.Atoi(text); ours && err == nil {
			next = max(next, number+1)
		}
	}
	return next
}

func name(owner Owner, number int) string { return owner.Name + "-" + strconv.Itoa(number) }

// isOurs asks the server whether a name belongs to a child that is alive. One that has gone by now is nobody's.
func isOurs(ctx context.Context, server Server, owner Owner, name string) (bool, error) {
	there, err := server.Get(ctx, name)
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	controller := metav1.GetControllerOf(there)
	return controller != nil && controller.UID == owner.UID && there.DeletionTimestamp == nil, nil
}

//solution:end
