// Stage 4 (hard): nobody waits for a run, or fails with it

package operations_test

import (
	"fmt"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/exercises/2-operations"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: an operation panics, and another one waits.
func TestPanic(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Defer(north/web, a/1, x that panics at once); Defer(north/web, a/1, y); "+
		"Apply(north/web, a/1) leaves y, and an error", "")
}

func TestPanicAlone(t *testing.T) {
	exercise.Attempted(t, lockHeld)
	play(t, "Defer(north/web, a/1, x that panics); Defer(north/web, a/1, y); Apply(north/web, a/1) leaves y, and an "+
		"error", "the belief that what panics has done nothing. It was in the middle of it, and half of a change is "+
		"none that anybody wanted")
	play(t, "Defer(north/web, a/1, v); Defer(north/web, a/1, x that panics); Defer(north/web, a/1, y); "+
		"Apply(north/web, a/1) leaves vy, and an error", "the belief that one operation speaks for the others. What "+
		"was applied before the panic has happened")
	play(t, "Defer(north/web, a/1, x that panics); Defer(north/web, a/1, y); Defer(north/web, a/1, z that panics); "+
		"Defer(north/web, a/1, w); Apply(north/web, a/1) leaves yw, and an error", "")
	play(t, "Defer(north/web, a/1, x that panics); Apply(north/web, a/1) leaves nothing, and an error; "+
		"Apply(north/web, a/1) leaves nothing", "the belief that what has failed is tried again. It would panic in "+
		"each run")
	play(t, "Defer(north/web, a/1, x that panics); Apply(north/web, a/1) leaves nothing, and an error; "+
		"Defer(north/web, a/1, y), which tells; Apply(north/web, a/1) leaves y", "")
	play(t, "Defer(north/web, a/2, x that panics); Apply(north/web, a/1) leaves nothing", "")
}

// while calls f while an operation of north/web is being called.
func while(t *testing.T, f func(o *Operations)) (o *Operations) {
	t.Helper()
	o = New(nobody)
	called, goOn, done := make(chan bool), make(chan bool), make(chan error, 1)
	o.Defer(web, Run{"a", 1}, func(*State) {
		close(called)
		<-goOn
	})
	go func() { done <- o.Apply(web, &State{Run: Run{"a", 1}}) }()
	<-called
	f(o)
	close(goOn)
	if err := <-done; err != nil {
		exercise.Fail(t, exercise.Verdict{Expected: "Apply(north/web, a/1) returns no error", Happened: "it " +
			"returned " + err.Error()})
	}
	return o
}

func TestDeferWhileApplying(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans("the belief that a run comes soon. A Defer that waits for one, or for "+
		"room, keeps whoever hears of events from hearing of another"))
	const n = 5000
	called := 0
	o := while(t, func(o *Operations) {
		for range n {
			o.Defer(web, Run{"a", 1}, func(*State) { called++ })
		}
	})
	err := o.Apply(web, &State{Run: Run{"a", 1}})
	exercise.Expect(t, called == n && err == nil, exercise.Verdict{
		Expected: fmt.Sprintf("while an operation of north/web is called, %d are deferred; the next Apply calls "+
			"them all", n),
		Happened: fmt.Sprintf("it called %d, and returned the error %v", called, err),
	})
}

func TestApplyOfAnother(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans("the belief that one run at a time is enough. Where one waits for a "+
		"process, all others would"))
	while(t, func(o *Operations) {
		s := State{Run: Run{"b", 1}}
		o.Defer(db, Run{"b", 1}, func(s *State) { s.Phase += "z" })
		err := o.Apply(db, &s)
		exercise.Expect(t, s.Phase == "z" && err == nil, exercise.Verdict{
			Expected: "while an operation of north/web is called, Defer(north/db, b/1, z); Apply(north/db, b/1) " +
				"leaves z",
			Happened: fmt.Sprintf("it left %q, and the error %v", s.Phase, err),
		})
		o.Forget(db)
	})
}

// Two calls that nothing orders, for every two methods. It is the race detector that has something to say.
func TestCallsAtOnce(t *testing.T) {
	exercise.Attempted(t, lockHeld)
	calls := []func(*Operations){
		func(o *Operations) { o.Defer(web, Run{"a", 1}, func(*State) {}) },
		func(o *Operations) { o.Defer(db, Run{"b", 1}, func(*State) {}) },
		func(o *Operations) { _ = o.Apply(web, &State{Run: Run{"a", 1}}) },
		func(o *Operations) { _ = o.Apply(db, &State{Run: Run{"b", 1}}) },
		func(o *Operations) { o.Forget(web) },
	}
	for i, one := range calls {
		for j, other := range calls {
			if i == j && (i == 2 || i == 3) {
				continue // nobody applies one object's twice at once
			}
			o := New(nobody)
			o.Defer(web, Run{"a", 1}, func(*State) {})
			o.Defer(db, Run{"b", 1}, func(*State) {})
			var done sync.WaitGroup
			done.Go(func() { one(o) })
			done.Go(func() { other(o) })
			done.Wait()
		}
	}
}

// Four goroutines defer, and a run applies whenever it is told to. It is told of all that waits, in the end.
func TestNoneIsLost(t *testing.T) {
	exercise.Attempted(t, lockHeld)
	const goroutines, each = 4, 5000
	told := make(chan bool, 2*goroutines*each)
	o := New(func(types.NamespacedName) { told <- true })
	called := 0
	var deferring, applying sync.WaitGroup
	for range goroutines {
		deferring.Go(func() {
			for range each {
				o.Defer(web, Run{"a", 1}, func(*State) { called++ })
			}
		})
	}
	applying.Go(func() {
		for range told {
			_ = o.Apply(web, &State{Run: Run{"a", 1}})
		}
	})
	deferring.Wait()
	close(told)
	applying.Wait()
	exercise.Expect(t, called == goroutines*each, exercise.Verdict{
		Expected: fmt.Sprintf("%d goroutines defer %d operations each, and a run that applies whenever notify was "+
			"called calls all %d",
			goroutines, each, goroutines*each),
		Happened: fmt.Sprintf("%d were called", called),
		PointsTo: "the belief that what two steps find is the same. Between a look at what waits and a change to it " +
			"another goroutine " +
			"has taken or added something",
	})
}

func TestTwoControllers(t *testing.T) {
	exercise.Attempted(t)
	one, other := New(nobody), New(nobody)
	one.Defer(web, Run{"a", 1}, func(s *State) { s.Phase += "x" })
	s := State{Run: Run{"a", 1}}
	err := other.Apply(web, &s)
	exercise.Expect(t, s.Phase == "" && err == nil, exercise.Verdict{
		Expected: "of two Operations one has x wait for north/web; Apply(north/web, a/1) of the other leaves nothing",
		Happened: fmt.Sprintf("it left %q, and the error %v", s.Phase, err),
	})
}
