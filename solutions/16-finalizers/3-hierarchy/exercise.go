// Package hierarchy is exercise 16.3: delete the children of a set in order.
//
// A set is being deleted, and a finalizer holds it until its children are gone. Each needs those with lower numbers, so
// they go in turn, backwards. A run of the controller does one step:
//
//	done, err := Run(ctx, children, set) // web-0, web-1 and web-2 are there: it deletes web-2, and returns false
//
// Write Run, stage by stage, from the standard library and what is imported here. docs/exercises.md says what holds
// for every exercise.
package hierarchy

import (
	"context"
	//solution:begin
	"slices"
	"strconv"
	"strings"
	//solution:end

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Children are the Processes of the set's namespace.
type Children interface {
	// List returns all of them, in any order, as the API server has them.
	List(ctx context.Context) ([]metav1.PartialObjectMetadata, error)
	// Delete sends the request. The API server answers NotFound if there is none of this name, and Conflict if it is
	// not as the preconditions say. An error may also be about the request itself.
	Delete(ctx context.Context, name string, preconditions metav1.Preconditions) error
}

// Run deletes the set's next child. It is called after each change of a child and each error, until it returns true:
// then the finalizer is taken out.
//
// Stage 1: one at a time, the highest number first
//   - Run deletes the child with the highest number, and no other, and returns false. The number stands behind the
//     last dash of the name.
//   - When there is no child, it returns true.
//
// Stage 2: whose they are, and one that is going
//   - A child is the set's if its controller, the owner reference with controller: true, has the set's UID. All
//     others are left alone, and not waited for.
//   - While a child of the set is being deleted, its program may still run: Run deletes nothing, and returns false.
//   - An adopted child may have no number: web-blue. Its turn may come at any time.
//
// Stage 3: what the API server answers
//   - Run deletes the very child that List has shown, and never another of its name.
//   - NotFound is no failure: that child is gone.
//   - After any other error, also of List, Run deletes nothing more, and returns false and the error.
//
// Stage 4 (hard): children that are to live on
//   - With the finalizer orphan the set goes without its children: Run deletes nothing, and returns true.
//   - The garbage collector takes the set's reference off each child, and then orphan out of the set. A child that has
//     changed since List saw it is not deleted.
func Run(ctx context.Context, children Children, set *metav1.PartialObjectMetadata) (done bool, err error) {
	//solution:begin
	//todo: find the next one, and delete it
	//stub: _ = apierrors.IsNotFound
	//stub: return false, nil
	if slices.Contains(set.Finalizers, metav1.FinalizerOrphanDependents) {
		return true, nil
	}
	all, err := children.List(ctx)
	if err != nil {
		return false, err
	}
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
	//solution:end
}

//solution:begin

// number is -1 if the child has none.
func number(child metav1.PartialObjectMetadata) int {
	n, err := strconv.Atoi(child.Name[strings.LastIndex(child.Name, "-")+1:])
	if err != nil {
		return -1
	}
	return n
}

// remove deletes a child if it still is as it was seen.
func remove(ctx context.Context, children Children, child metav1.PartialObjectMetadata) error {
	return children.Delete(ctx, child.Name,
		metav1.Preconditions{UID: &child.UID, ResourceVersion: &child.ResourceVersion})
}

//solution:end
