package buffer_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/exercises/1-buffer"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// This one is in no bubble: in one, what is always busy would hang the test.
func TestWaitsWithoutRunning(t *testing.T) {
	exercise.Attempted(t, exercise.LeakMeans("the belief that a goroutine ends when the function does that started it"))
	in, out, returned := make(chan struct{}), make(chan []struct{}), make(chan struct{})
	go func() { defer close(returned); Pump(in, out) }()
	wait := func(after string) {
		t.Helper()
		exercise.Expect(t, rests(), exercise.Verdict{
			Expected: after + ", and then nothing happens: Pump waits",
			Happened: "it ran all the time, and had to be interrupted again and again",
			PointsTo: "the belief that a select with a default case waits. It never does: a loop around it keeps a " +
				"processor busy for as long as nothing happens, which is most of the time",
		})
	}
	wait("Pump was called")
	select {
	case in <- struct{}{}:
		wait("something was sent")
	default: // another test says so
	}
	select {
	case <-out:
		wait("it was received")
	default:
	}
	close(in)
	exercise.Expect(t, rests(), exercise.Verdict{
		Expected: "in is closed: Pump returns",
		Happened: "it had not, and ran all the time",
		PointsTo: "the belief that there is nothing to receive from a closed channel. " +
			"There is, at once and again and again: zeros",
	})
	late := time.After(2 * time.Second) // for what sleeps: that is another test's
	select {
	case <-returned:
	case <-late:
		exercise.Fail(t, exercise.Verdict{
			Expected: "in is closed: Pump returns",
			Happened: "it had not, and waited",
		})
	}
}

// A Pump that looks from time to time is busy for as long as virtual time passes.
func TestWaitsWithoutLooking(t *testing.T) {
	exercise.Attempted(t)
	var late atomic.Bool
	limit := time.AfterFunc(time.Second, func() { late.Store(true) })
	defer limit.Stop()
	pumped(t, func(s *scene[int]) {
		waits := func(after string) {
			passed := passes(&late)
			s.expect(passed >= years, exercise.Verdict{
				Expected: after + ", and then nothing happens for sixty years of virtual time: they are over at once",
				Happened: fmt.Sprintf("after a second of real time %v had passed: something was done again and again",
					passed),
				PointsTo: "the belief that to look from time to time is to wait. Who looks seldom is late, and who " +
					"looks often costs time of a processor when nothing happens",
			})
			s.expect(!s.returned, exercise.Verdict{
				Expected: after + ", and then nothing happens for sixty years: Pump has not returned",
				Happened: "it has",
			})
		}
		waits("Pump was called")
		s.send(1)
		waits("1 was sent")
		s.look()
		waits("it was received")
	})
}

func TestGivesWhatHasGathered(t *testing.T) {
	exercise.Attempted(t)
	const empty = "the belief that nobody minds an empty slice. Who receives is woken for it, has nothing to do, and " +
		"receives again, which is woken again"
	comes(t, "1 < << 2", "1 <[1] << 2 [2]", clues{
		"1 <[1] << [] 2": empty,
		"1 <nothing << 2 [1 2]": "the belief that what can't be given when it comes can be given with the next. Nobody " +
			"knows when that is: in a quiet cluster the handler hears of the last change hours later",
		"1 <later [1] << 2": lingers,
	})
	comes(t, "1 2 3 < <", "1 2 3 <[1 2 3] <nothing", clues{
		"1, and then 2 is not taken": "the belief that a goroutine between two others is a buffer. This one has its hands full " +
			"with what it is about to give, and so the informer waits for the handler after all",
		"1 2 3 <[1] <[2]": "the belief that what comes one by one is given one by one. Thousands may have gathered, " +
			"and the handler's goroutine would be woken for each",
		"1 2 3 <[1] <[2 3]": "the belief that a send gives what there is when somebody receives. What it gives is " +
			"settled when it begins to wait",
		"1 2 3 <[3] <nothing": "the belief that the newest says all. What a handler is told is about many objects",
	})
	comes(t, "< 1 < 2 3 < 4 5 6 < <", "<nothing 1 <[1] 2 3 <[2 3] 4 5 6 <[4 5 6] <nothing", clues{
		"<[] 1 <[1] 2 3 <[2 3] 4 5 6 <[4 5 6] <nothing": empty,
	})
	comes(t, "<< 1 << 2 3 <", "<< 1 [1] << 2 [2] 3 <[3]", nil)
	comes(t, "1 2 < << 3 4 << <", "1 2 <[1 2] << 3 [3] 4 << [4] <nothing", nil)
}

const lingers = "the belief that it is worth while to wait for more. What gathers while the handler works is enough"

func TestEqualElements(t *testing.T) {
	exercise.Attempted(t)
	comes(t, "1 1 2 1 1 < 1 1 <", "1 1 2 1 1 <[1 1 2 1 1] 1 1 <[1 1]", nil)
}

func TestWhenInIsClosed(t *testing.T) {
	exercise.Attempted(t)
	const (
		open   = "the belief that a channel which nobody sends to ends by itself. Who ranges over it waits for ever"
		drains = "the belief that what has gathered has to be given before the end. A handler that was removed, or " +
			"never returns, does not come for it"
	)
	comes(t, "x", "x (returned, closed)", clues{"x (returned, out is open)": open})
	comes(t, "1 2 < x", "1 2 <[1 2] x (returned, closed)", nil)
	comes(t, "1 2 x", "1 2 x (returned, closed)", clues{"1 2 x (did not return, [1 2])": drains})
	comes(t, "<< x <", "<< x closed (returned, closed) <closed", nil)
}

// Elements are sent without a pause, so that each comes when Pump has just taken the one before it.
func TestNothingIsForgotten(t *testing.T) {
	exercise.Attempted(t)
	const rounds = 1000
	pumped(t, func(s *scene[int]) {
		for n := range rounds {
			sent := make([]int, 1+n%7)
			for i := range sent {
				sent[i] = n + i
			}
			s.send(sent...)
			got, _ := s.look()
			s.expect(slices.Equal(got, sent), exercise.Verdict{
				Expected: fmt.Sprintf("%v are sent one after the other, without a pause: the next receive gets all", sent),
				Happened: fmt.Sprintf("in round %d it got %v", n+1, got),
			})
		}
	})
}

func TestHasRoomForWhateverComes(t *testing.T) {
	exercise.Attempted(t)
	pumped(t, func(s *scene[int]) {
		all := make([]int, 20_000)
		for n := range all {
			all[n] = n
		}
		taken := s.send(all...)
		s.expect(taken == len(all), exercise.Verdict{
			Expected: fmt.Sprintf("nobody receives from out, and %d elements are sent to in: all are taken", len(all)),
			Happened: fmt.Sprintf("%d were taken, and who sends waited", taken),
			PointsTo: "the belief that there is a size that is enough. When a million objects were listed, a million " +
				"notifications come, and a handler may be stuck at the first",
		})
		got, _ := s.look()
		s.expect(slices.Equal(got, all), exercise.Verdict{
			Expected: fmt.Sprintf("%d elements were sent to in: the next receive gets them in their order", len(all)),
			Happened: fmt.Sprintf("it got %d%s", len(got), firstOther(got, all)),
		})
	})
}

// firstOther says where what came is not what was sent.
func firstOther(got, sent []int) string {
	for n := range min(len(got), len(sent)) {
		if got[n] != sent[n] {
			return fmt.Sprintf(", and after %d of them came %d where %d was sent", n, got[n], sent[n])
		}
	}
	return ""
}

func TestAnyValueOfAnyType(t *testing.T) {
	exercise.Attempted(t)
	isAsSent(t, []any{nil, 0, "", false, nil, []int(nil), map[string]int{}, nil})
	isAsSent(t, []error{nil, nil, errors.New("one"), nil})
	isAsSent(t, []int{0, 0, 1, 0})
	isAsSent(t, []string{"", "a", "", ""})
	isAsSent(t, [][]int{nil, {}, {1}, nil})
	isAsSent(t, []*int{nil, new(int), nil})
	isAsSent(t, []struct{}{{}, {}, {}})
}

// isAsSent sends elements, receives them in one slice, and once more to those who wait.
func isAsSent[T any](t *testing.T, sent []T) {
	t.Helper()
	pumped(t, func(s *scene[T]) {
		s.send(sent...)
		got, _ := s.look()
		var one []T
		for _, element := range sent {
			s.send(element)
			slice, _ := s.look()
			one = append(one, slice...)
		}
		for _, got := range [][]T{got, one} {
			s.expect(reflect.DeepEqual(got, sent), exercise.Verdict{
				Expected: fmt.Sprintf("elements of type %s are sent: %#v is received", reflect.TypeFor[T](), sent),
				Happened: fmt.Sprintf("it was %#v", got),
				PointsTo: "the belief that nil or a zero is no element",
			})
		}
	})
}

// The slices are looked at when more has come and gone: what Pump would do with one it has given, it has done by then.
func TestASliceIsItsReceivers(t *testing.T) {
	exercise.Attempted(t)
	pumped(t, func(s *scene[int]) {
		var kept [][]int
		for n := range 6 {
			s.send(10*n+1, 10*n+2, 10*n+3)
			slice, _ := s.look()
			kept = append(kept, slice)
			s.send(10*n + 4)
			slice, _ = s.look()
			kept = append(kept, slice)
		}
		const want = "[[1 2 3] [4] [11 12 13] [14] [21 22 23] [24] [31 32 33] [34] [41 42 43] [44] [51 52 53] [54]]"
		got := fmt.Sprint(kept)
		s.expect(got == want, exercise.Verdict{
			Expected: "a receiver keeps what it receives, and at the end that is " + want,
			Happened: "it was " + got,
			PointsTo: clues{
				"[[54 52 53] [54] [54 52 53] [54] [54 52 53] [54] [54 52 53] [54] [54 52 53] [54] [54 52 53] [54]]": "the " +
					"belief that an array is free again when its slice was received. Its receiver has only begun to read",
			}[got],
		})
	})
	pumped(t, func(s *scene[int]) {
		var kept [][]int
		for n := range 2 {
			s.send(10*n+1, 10*n+2, 10*n+3)
			slice, _ := s.look()
			for i := range slice {
				slice[i] = 0
			}
			s.send(10*n + 4)
			slice = append(slice, -1) // three are in an array for four
			next, _ := s.look()
			kept = append(kept, slice, slices.Clone(next))
		}
		const want = "[[0 0 0 -1] [4] [0 0 0 -1] [14]]"
		got := fmt.Sprint(kept)
		s.expect(got == want, exercise.Verdict{
			Expected: "a receiver makes each element 0 that it has received, appends one of its own while another waits, " +
				"receives that, and so on: in the end it has " + want,
			Happened: "it had " + got,
			PointsTo: "the belief that the rest of an array is free because the slice ends before it. Who appends to " +
				"the slice writes there",
		})
	})
}

// The receiver writes into what it gets: the race detector sees who else has it.
func TestSendsAndReceivesAtOnce(t *testing.T) {
	exercise.Attempted(t)
	const many = 30_000
	for _, room := range []int{0, 16} {
		sendsAndReceives(t, room, many)
	}
}

// sendsAndReceives gives in a buffer with this room.
func sendsAndReceives(t *testing.T, room, many int) {
	t.Helper()
	next, wrong := 0, ""
	exercise.Bubble(t, func(*testing.T) {
		s := newScene(t, make(chan int, room))
		go func() {
			for n := 0; n < many; n++ {
				select {
				case s.in <- n:
				case <-s.over:
					return
				}
			}
		}()
		never := time.After(time.Hour) // virtual: it comes when everybody waits
		for next < many && wrong == "" {
			select {
			case slice, open := <-s.out:
				next, wrong = count(slice, open, next)
			case <-never:
				wrong = "then nothing more came"
			}
		}
		s.expect(wrong == "", exercise.Verdict{
			Expected: fmt.Sprintf("in has room for %d. The numbers from 0 to %d are sent, while somebody receives: they "+
				"come in their order", room, many-1),
			Happened: fmt.Sprintf("%d came, and %s", next, wrong),
		})
		s.end()
	})
}

// count looks at a slice that should begin with next, and overwrites it.
func count(slice []int, open bool, next int) (after int, wrong string) {
	switch {
	case !open:
		return next, "then out was closed"
	case len(slice) == 0:
		return next, "then an empty slice"
	}
	for i, got := range slice {
		if got != next {
			return next, fmt.Sprintf("then %d", got)
		}
		next++
		slice[i] = -1
	}
	return next, ""
}

// Two stories, each as if there were no other: one after the other word by word, and at the same time.
func TestPumpsShareNothing(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(*testing.T) {
		one, other, third := newScene(t, make(chan int)), newScene(t, make(chan int)), newScene(t, make(chan string))
		got := play(one, "1 2") + ", " + play(other, "< 3") + ", " + fmt.Sprint(third.send("a")) + ", " +
			play(other, "< <") + ", " + play(one, "< x") + ", " + play(other, "4 <") + ", " + show(third.look())
		const want = "1 2, <nothing 3, 1, <[3] <nothing, <[1 2] x (returned, closed), 4 <[4], [a]"
		one.expect(got == want, exercise.Verdict{
			Expected: "of three Pumps one takes 1 and 2 and is closed when both were received, another takes 3 and 4, " +
				"and a third takes a: " + want,
			Happened: "it was " + got,
		})
		one.end()
		other.end()
		third.end()
	})
	var done sync.WaitGroup
	for range 2 { // in bubbles they would not be at it at once
		done.Go(func() {
			in, out := make(chan int), make(chan []int)
			go Pump(in, out)
			for n := range 2000 {
				in <- n
				<-out
			}
			close(in)
			<-out
		})
	}
	done.Wait()
}
