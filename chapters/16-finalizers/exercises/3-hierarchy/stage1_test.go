// Stage 1: one at a time, the highest number first

package hierarchy_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// What several tests may point to.
const (
	askedIsGone = "the belief that what was asked for has happened. The child has a finalizer, too, and its " +
		"program may still run"
	alphabet  = "the belief that names are ordered as texts are. As a text 10 comes before 9"
	lastOfAll = "the belief that a list has an order by number. List has any"
	atOnce    = "the belief that requests in order are ends in order. A request takes milliseconds, and a " +
		"program that ends " +
		"may take minutes"
)

// The simplest case: no child is left.
func TestNoneIsLeft(t *testing.T) {
	exercise.Attempted(t)
	(&scene{}).is(t, "deletes nothing, returns true", nil)
}

func TestTheLastChild(t *testing.T) {
	exercise.Attempted(t)
	(&scene{children: []string{"web-0"}}).is(t, "deletes web-0, returns false", about{
		"deletes web-0, returns true": askedIsGone,
	})
}

func TestOneAtATime(t *testing.T) {
	exercise.Attempted(t)
	(&scene{children: []string{"web-0", "web-1", "web-2"}}).is(t, "deletes web-2, returns false", about{
		"deletes web-2 and web-1 and web-0, returns false": atOnce,
		"deletes web-2 and web-1 and web-0, returns true":  atOnce,
		"deletes web-0, returns false": "the belief that those who came first go first. web-1 and web-2 may still " +
			"need " +
			"web-0",
	})
}

func TestAnyOrder(t *testing.T) {
	exercise.Attempted(t)
	(&scene{children: []string{"web-1", "web-3", "web-2", "web-0"}}).is(t, "deletes web-3, returns false", about{
		"deletes web-0, returns false": lastOfAll,
		"deletes web-1, returns false": lastOfAll,
	})
	(&scene{children: []string{"web-1", "web-0: created last", "web-2"}}).is(t, "deletes web-2, returns false", about{
		"deletes web-0, returns false": "the belief that the last to be created has the highest number. web-0 may " +
			"have been made " +
			"anew",
	})
}

func TestNumbersAreNoTexts(t *testing.T) {
	exercise.Attempted(t)
	(&scene{children: []string{"web-10", "web-8", "web-9"}}).is(t, "deletes web-10, returns false", about{
		"deletes web-9, returns false": alphabet,
	})
	(&scene{children: []string{"web-2", "web-12", "web-10", "web-0"}}).is(t, "deletes web-12, returns false", about{
		"deletes web-2, returns false": alphabet,
		"deletes web-0, returns false": lastOfAll,
	})
	(&scene{set: "web-2", children: []string{"web-2-0: controlled by web-2/1", "web-2-1: controlled by web-2/1"}}).
		is(t, "deletes web-2-1, returns false", nil)
}
