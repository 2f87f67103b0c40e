// Stage 4: the server cannot say

package view_test

import (
	"context"
	"errors"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/3-view"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestTheQuestionFails(t *testing.T) {
	exercise.Attempted(t)
	down := errors.New("dial tcp 127.0.0.1:6443: connection refused")
	s := newScene(t, func(string, string) (Object, error) { return Object{}, down })
	s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED")
	s.unanswered(deleted("a", "102"), down)
}

func TestTheEventHasHappened(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t, func(string, string) (Object, error) { return Object{}, errors.New("connection refused") })
	s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED")
	_, _ = s.view.Apply(deleted("a", "102"))
	const undone = "the belief that an event which ends in an error has not happened. " +
		"The watch will not say again that the object is out of sight"
	s.expectView("", "DELETED came, and Lookup failed", "a@101", undone)
	s.expectVersion("102", "DELETED came with the resourceVersion 102, and Lookup failed", "101", undone)
	s.server = nothing
	s.apply(added("b", "103"), Entered, "Lookup has failed before, and another ConfigMap is ADDED")
	s.apply(deleted("b", "104"), Gone, "Lookup has failed before; DELETED comes for another ConfigMap, "+
		"and Lookup fails with ErrNotFound")
}

func TestOnlyOneErrorSaysNotFound(t *testing.T) {
	exercise.Attempted(t)
	for _, down := range []error{
		errors.New("dial tcp: lookup api.example.com: host not found"),
		context.DeadlineExceeded,
		&StatusError{403, "Forbidden", "configmaps is forbidden"},
		&StatusError{404, "NotFound", "the server could not find the requested resource"}, // the path, not the object
	} {
		s := newScene(t, func(string, string) (Object, error) { return Object{}, down })
		s.apply(added("a", "101"), Entered, "a ConfigMap is ADDED")
		s.unanswered(deleted("a", "102"), down, "the belief that an error tells what is not there. Only one of "+
			"Lookup's errors does; whoever cleans up after the others does it for an object that may live")
	}
}

func TestViewsAreOnTheirOwn(t *testing.T) {
	exercise.Attempted(t)
	one, other := newScene(t, nothing), newScene(t, nothing)
	one.apply(added("a", "101"), Entered, "a ConfigMap is ADDED to one of two views")
	other.expectView("", "a ConfigMap was added to another view")
	other.expectVersion("100", "a ConfigMap was added to another view with the resourceVersion 101")
	other.apply(added("a", "201"), Entered, "a ConfigMap that another view has is ADDED")
	one.expectView("a@101", "the ConfigMap was added to another view, with the resourceVersion 201")
	one.apply(deleted("a", "102"), Gone, "DELETED comes for it to one of two views, and Lookup fails with ErrNotFound")
	other.expectView("a@201", "the ConfigMap was deleted from another view")
	other.expectAsked("the ConfigMap was deleted from another view")
}
