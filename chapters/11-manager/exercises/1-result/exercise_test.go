package result_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

type plan = map[string][]any

var errBroken = errors.New("the server is on fire")

func TestWhatIsGoneIsNoFailure(t *testing.T) {
	exercise.Attempted(t)
	play(t, "a until=-1h", nil, func(s *scene) {
		s.add("a")
		s.changes(nothing, "a") // the watch tells of the deletion
		wait(4 * time.Hour)
		s.expectRuns("a", "a at 0s, a at 0s", "a is deleted, which brings its key once more", func(runs []run) string {
			if len(runs) > 2 && apierrors.IsNotFound(runs[1].err) {
				return "the belief that what is not there is a failure. Each deletion would be followed by one, " +
					"which comes " +
					"again for ever"
			}
			return ""
		})
		s.expectNoErrors("a", "a is deleted, which brings its key once more")
	})
}

func TestNothingToDo(t *testing.T) {
	exercise.Attempted(t)
	for _, world := range []string{nothing, "b until=-1h", "a", "a note=until", "a after=b; b", "a deleting",
		"a until=-1h deleting",
		"a until=1h deleting", "a until:soon deleting", "a until=-1h in=other"} {
		play(t, world, nil, func(s *scene) {
			s.add("a")
			wait(4 * time.Hour)
			s.expect(s.deleted() == none, "a is looked at: nothing is deleted", "deleted were "+s.deleted(), "")
			s.expectNoErrors("a", "a is looked at, and there is nothing to do")
			s.expectRuns("a", "a at 0s", "there is nothing to do, for four hours", nil)
		})
	}
}

func TestWhatIsOverIsDeleted(t *testing.T) {
	exercise.Attempted(t)
	for _, world := range []string{"a until=-1h uid=u7 version=99",
		"a until=-1000h uid=u7 version=99; b until=1h", "a until=-1h after= uid=u7 version=99",
		"a until:1999-12-31T23:00:00Z uid=u7 version=99", "a until=-1h after=b uid=u7 version=99; b in=east"} {
		const want = "a at 0s if uid=u7 version=99"
		play(t, world, nil, func(s *scene) {
			s.add("a")
			wait(4 * time.Hour)
			s.expect(s.deleted() == "a at 0s", "a is over: it is deleted at once", "deleted were "+s.deleted(), "")
			s.expect(short(s.deletes) == want, "its deletion: "+want, short(s.deletes), "")
			s.expectRuns("a", "a at 0s", "a is deleted at 0s, and nobody tells of a change", nil)
			s.expectNoErrors("a", "a is over")
		})
	}
}

const stays = "the belief that what was read once stays so. By the moment anybody may have changed it"

func TestTheMoment(t *testing.T) {
	exercise.Attempted(t)
	for _, moment := range []struct {
		text string
		at   time.Duration
	}{
		{"until=1h", time.Hour}, {"until=59s", 59 * time.Second}, {"until=30h", 30 * time.Hour}, {"until=1ns", 1},
		{"until=90.25s", 90250 * time.Millisecond}, {"until=59m59.999s", time.Hour - time.Millisecond},
		{"until:2000-01-01T09:00:00+07:00", 2 * time.Hour}, {"until:2000-01-01T00:00:30Z", 30 * time.Second},
	} {
		at := moment.at
		play(t, "a "+moment.text, nil, func(s *scene) {
			s.add("a")
			wait(at + time.Hour)
			then := fmt.Sprintf("a at %v", at)
			s.expectRuns("a", "a at 0s, "+then, fmt.Sprintf("its moment is at %v", at), func(runs []run) string {
				if len(runs) == 1 && runs[0].took == 0 && s.deleted() == then {
					return stays // it was deleted without a run
				}
				return waited(runs, at)
			})
			belief := ""
			if runs := s.runsOf("a"); len(runs) == 2 && s.deleted() == none && runs[1].err == nil &&
				runs[1].result.RequeueAfter <= 0 {
				belief = "the belief that a RequeueAfter of zero or less comes at once. It says that nothing is to come"
			}
			s.expect(s.deleted() == then, fmt.Sprintf("it is deleted at %v, the moment itself", at),
				fmt.Sprintf("deleted were %s. Returned was: %s", s.deleted(), s.returned("a")), belief)
			s.expectNoErrors("a", "a waits for its moment")
		})
	}
}

// waited is a belief about runs that should be two, the second at a moment.
func waited(runs []run, at time.Duration) string {
	first, last := runs[0], runs[len(runs)-1]
	switch {
	case len(runs) == 1 && first.took > 0:
		return keepsWorker
	//lint:ignore SA1019 it is what must not be used
	case first.result.Requeue:
		return "the belief that Requeue is a way to wait. It comes as a failure does: soon, and later each time, by " +
			"the " +
			"limiter"
	case first.err != nil && !isTerminal(first.err):
		return "the belief that it is a failure to be too early. A failure comes again by the limiter, which knows " +
			"of no " +
			"moment"
	case len(runs) == 1 && first.err == nil && first.result.IsZero() && at >= time.Second: // or it was rounded to 0
		return "the belief that somebody tells when a moment has come. No object changes at that moment"
	case len(runs) > 2 && runs[1].at < at && last.at == at:
		return "the belief that a moment is found by looking again and again. The controller keeps a key until it " +
			"is due"
	}
	return ""
}

func TestTheMomentAfterASlowRead(t *testing.T) {
	exercise.Attempted(t)
	play(t, "a until=1h", plan{"read a": {10 * time.Minute}}, func(s *scene) {
		s.add("a")
		wait(4 * time.Hour)
		s.expectRuns("a", "a at 0s, a at 1h0m0s", "its moment is at 1h0m0s, and the Reader takes ten minutes to "+
			"answer", nil)
		s.expect(s.deleted() == "a at 1h0m0s", "it is deleted at 1h0m0s, the moment itself",
			"deleted were "+s.deleted(), "")
	})
	play(t, "a until=5m", plan{"read a": {10 * time.Minute}}, func(s *scene) {
		s.add("a")
		wait(4 * time.Hour)
		s.expect(s.deleted() == "a at 10m0s", "its moment is at 5m0s, and the Reader answers at 10m0s: it is "+
			"deleted at 10m0s",
			"deleted were "+s.deleted(), "")
	})
}

func TestAMomentThatMoves(t *testing.T) {
	exercise.Attempted(t)
	play(t, "a until=1h", nil, func(s *scene) {
		s.add("a")
		wait(30 * time.Minute)
		s.changes("a until=3h version=2", "a")
		wait(10 * time.Hour)
		s.expect(s.deleted() == "a at 3h0m0s", "a was to go at 1h0m0s, and is changed at 30m0s: it is deleted at "+
			"3h0m0s",
			"deleted were "+s.deleted(), map[bool]string{true: stays}[strings.HasPrefix(s.deleted(), "a at 1h0m0s")])
	})
	play(t, "a until=3h", nil, func(s *scene) {
		s.add("a")
		wait(30 * time.Minute)
		s.changes("a until=1h version=2", "a")
		wait(10 * time.Hour)
		s.expect(strings.HasPrefix(s.deleted(), "a at 1h0m0s"), "a was to go at 3h0m0s, and is changed at 30m0s: it "+
			"is "+
			"deleted at 1h0m0s",
			"deleted were "+s.deleted(), "")
		s.expect(short(s.deletes[:1]) == "a at 1h0m0s if uid=u1 version=2",
			"a was read with the version 2: that is a precondition",
			short(s.deletes), "")
	})
	play(t, "a until=1h", nil, func(s *scene) {
		s.add("a")
		wait(30 * time.Minute)
		s.changes("a version=2", "a")
		wait(10 * time.Hour)
		s.expect(s.deleted() == none, "a was to go at 1h0m0s, and at 30m0s its Until is taken away: it is not deleted",
			"deleted were "+s.deleted(), map[bool]string{true: stays}[s.deleted() == "a at 1h0m0s"])
	})
}

func TestAnotherOfTheName(t *testing.T) {
	exercise.Attempted(t)
	play(t, "a until=-1h", nil, func(s *scene) {
		s.add("a")
		wait(time.Minute)
		s.changes("a until=-1h uid=u2 version=9", "a")
		wait(time.Hour)
		const want = "a at 0s if uid=u1 version=1, a at 1m0s if uid=u2 version=9"
		s.expect(short(s.deletes) == want, "a is deleted, and another a comes, which is over, too: the deletions "+
			"are "+want,
			"they were "+short(s.deletes), map[bool]string{true: "the belief that a name is dealt with once it was " +
				"dealt " +
				"with. Another " +
				"object may have it"}[len(s.deletes) == 1])
	})
}

func TestWaitingKeepsNobody(t *testing.T) {
	exercise.Attempted(t)
	play(t, "a until=1h; b until=-1h", nil, func(s *scene) {
		s.add("a", "b")
		wait(2 * time.Hour)
		runs := s.runsOf("a")
		s.expect(strings.HasPrefix(s.deleted(), "b at 0s"), "there is one worker, and a comes first: b is deleted "+
			"at 0s",
			"deleted were "+s.deleted(), map[bool]string{true: keepsWorker}[len(runs) > 0 && runs[0].took > 0])
	})
	playWith(t, 2, "a until=-1h; b until=-1h", plan{"keeper a": {time.Hour}}, func(s *scene) {
		s.add("a")
		s.add("b")
		wait(2 * time.Hour)
		s.expect(strings.HasPrefix(s.deleted(), "b at 0s"), "there are two workers, and the Keeper takes an hour to "+
			"answer for a: "+
			"b is deleted at 0s", "deleted were "+s.deleted(), "")
	})
}

func TestNoMoment(t *testing.T) {
	exercise.Attempted(t)
	for _, text := range []string{"soon", "2000-01-01", "1h", "946684800", "2000-01-01_00:00:00",
		"1999-12-31T23:00:00Z_",
		"_1999-12-31T23:00:00Z"} {
		play(t, "a until:"+text, nil, func(s *scene) {
			s.add("a")
			wait(4 * time.Hour)
			says := strings.ReplaceAll(text, "_", " ")
			s.expect(s.deleted() == none, says+" is no moment: nothing is deleted", "deleted were "+s.deleted(), "")
			runs := s.runsOf("a")
			s.expectRuns("a", "a at 0s", says+" is no moment: the key does not come again by itself",
				func(runs []run) string {
					if len(runs) > 3 && runs[0].err != nil && !isTerminal(runs[0].err) {
						return "the belief that each error brings the same. This one is there until somebody changes " +
							"the object"
					}
					return ""
				})
			s.expect(runs[0].err != nil && strings.Contains(runs[0].err.Error(), says),
				says+" is no moment: an error is returned that has this text", "returned was: "+s.returned("a"),
				map[bool]string{true: "the belief that an error is for trying again alone. The log and the metrics " +
					"have it, " +
					"too"}[runs[0].err == nil])
		})
	}
	play(t, "a until:", nil, func(s *scene) {
		s.add("a")
		wait(4 * time.Hour)
		s.expectRuns("a", "a at 0s", "its Until is there and empty, which is no moment", nil)
		s.expect(s.deleted() == none && s.runsOf("a")[0].err != nil,
			"its Until is there and empty: an error is returned, and nothing is deleted",
			fmt.Sprintf("returned was: %s; deleted were %s", s.returned("a"), s.deleted()), "")
		s.changes("a until=1h version=2", "a")
		wait(time.Hour)
		s.expect(s.deleted() == "a at 4h0m0s", "its Until is mended after 4h0m0s, and is over: it is deleted",
			"deleted were "+s.deleted(), "")
	})
}

func TestAfterAnother(t *testing.T) {
	exercise.Attempted(t)
	for _, world := range []string{"a until=-1h after=b; b", "a until=-1h after=b; b until=1000h",
		"a until=-1h after=b; b deleting"} {
		play(t, world, nil, func(s *scene) {
			s.add("a")
			wait(4 * time.Hour)
			s.expect(s.deleted() == none, "b is there: a is not deleted", "deleted were "+s.deleted(), "")
			s.expectNoErrors("a", "b is there, and any change of it brings a")
			s.expectRuns("a", "a at 0s", "b is there, and any change of it brings a", func(runs []run) string {
				if len(runs) > 2 && runs[0].err == nil {
					return "the belief that what is watched has to be asked for, too"
				}
				return ""
			})
			s.changes("a until=-1h after=b", "a")
			wait(time.Hour)
			s.expect(s.deleted() == "a at 4h0m0s", "b goes after 4h0m0s, which brings a: it is deleted",
				"deleted were "+s.deleted(), "")
		})
	}
	play(t, "a until=1h after=b; b", nil, func(s *scene) {
		s.add("a")
		wait(4 * time.Hour)
		s.expectRuns("a", "a at 0s, a at 1h0m0s", "its moment is at 1h0m0s, and b is there then, too", nil)
		s.expect(s.deleted() == none, "b is there: a is not deleted", "deleted were "+s.deleted(), "")
	})
}

func TestTheKeeper(t *testing.T) {
	exercise.Attempted(t)
	play(t, "a until=-1h", plan{"keeper a": {true, true, true, false}}, func(s *scene) {
		s.add("a")
		wait(4 * time.Hour)
		const because = "the Keeper needs a the first three times that it is asked"
		s.expectNoErrors("a", because)
		s.expectRuns("a", "a at 0s, a at 1m0s, a at 2m0s, a at 3m0s", because, func(runs []run) string {
			if len(runs) == 1 {
				return "the belief that somebody tells when what was waited for has come. Nobody watches the Keeper"
			}
			//lint:ignore SA1019 it is what must not be used
			if runs[0].result.Requeue {
				return "the belief that Requeue is a way to wait. It comes as a failure does: soon, and later each " +
					"time, by the " +
					"limiter"
			}
			return ""
		})
		s.expect(s.deleted() == "a at 3m0s", because+": a is deleted at 3m0s", "deleted were "+s.deleted(), "")
	})
	play(t, "a until=-1h", plan{"keeper a": {30 * time.Minute, true, 10 * time.Minute, false}}, func(s *scene) {
		s.add("a")
		wait(4 * time.Hour)
		s.expectRuns("a", "a at 0s, a at 31m0s", "the Keeper takes 30m0s to say that it needs a", nil)
		s.expect(s.deleted() == "a at 41m0s", "then it takes 10m0s to say that it does not: a is deleted at 41m0s",
			"deleted were "+s.deleted(), "")
	})
	play(t, "a until=-1h; b until=-1h", plan{"keeper a": {true}}, func(s *scene) {
		s.add("a", "b")
		wait(time.Hour)
		s.expect(short(s.asked) == "a at 0s, b at 0s, a at 1m0s", "the Keeper needs a, once, and b not: it is asked "+
			"for "+
			"a, b and a",
			"it was asked: "+short(s.asked), "")
		s.expect(s.deleted() == "b at 0s, a at 1m0s", "both are deleted", "deleted were "+s.deleted(), "")
	})
}

func TestTheFirstThatApplies(t *testing.T) {
	exercise.Attempted(t)
	for _, world := range []string{nothing, "a", "a until:soon", "a until=1000h", "a until=-1h after=b; b",
		"a until=-1h deleting"} {
		play(t, world, nil, func(s *scene) {
			s.add("a")
			wait(time.Minute)
			s.expect(short(s.asked) == none, "it is decided without the Keeper, which is not asked",
				"it was asked: "+short(s.asked), "")
		})
	}
	play(t, "a until:soon after=b; b", nil, func(s *scene) {
		s.add("a")
		wait(time.Minute)
		s.expect(s.runsOf("a")[0].err != nil, "its Until is no moment, and that comes before After: an error is "+
			"returned",
			"returned was: "+s.returned("a"), "")
	})
}

func TestAFailureComesAgainLater(t *testing.T) {
	exercise.Attempted(t)
	for _, cause := range []error{
		errBroken, context.DeadlineExceeded, context.Canceled, apierrors.NewConflict(configMaps, "a",
			errors.New("the object has been modified")),
		apierrors.NewForbidden(configMaps, "a", errors.New("no role")), apierrors.NewServiceUnavailable("no etcd"),
		apierrors.NewInvalid(schema.GroupKind{Kind: "ConfigMap"}, "a", nil), apierrors.NewAlreadyExists(configMaps,
			"a"),
		apierrors.NewTooManyRequests("busy", 0), apierrors.NewServerTimeout(configMaps, "delete", 0),
		apierrors.NewUnauthorized("who?"),
	} {
		failing(t, "delete a", "a until=-1h", cause)
		failing(t, "delete a", "a until=-1h", fmt.Errorf("deleting a: %w", cause))
	}
	for _, cause := range []error{errBroken, apierrors.NewForbidden(configMaps, "a", errors.New("no role"))} {
		failing(t, "read a", "a until=-1h", cause)
		failing(t, "read b", "a until=-1h after=b", cause)
		failing(t, "keeper a", "a until=-1h", cause)
	}
	for _, question := range []string{"read a", "read b", "keeper a"} { // a time is for deletions
		failing(t, question, "a until=-1h after=b", apierrors.NewTooManyRequests("busy", 30))
		failing(t, question, "a until=-1h after=b", apierrors.NewServerTimeout(configMaps, "get", 20))
	}
}

func TestAConflictThatTheCacheShows(t *testing.T) {
	exercise.Attempted(t)
	conflict := apierrors.NewConflict(configMaps, "a", errors.New("the object has been modified"))
	play(t, "a until=-1h", plan{"delete a": {10 * time.Second, conflict}}, func(s *scene) {
		s.add("a")
		wait(5 * time.Second)
		s.hold("a until=-1h version=2")
		wait(time.Hour)
		const because = "the deletion takes 10s and is refused with a conflict; the cache has the new version by then"
		s.expect(len(s.runsOf("a")) > 0 && errors.Is(s.runsOf("a")[0].err, conflict), because+": the error is returned",
			"returned was: "+s.returned("a"), "")
		s.expectRuns("a", "a at 0s, a at 11s", because+", and the limiter says 1s", nil)
		s.expect(s.deleted() == "a at 0s, a at 11s", because+": it is tried again", "tried was "+s.deleted(), "")
	})
}

// failing has a question be answered with an error three times.
func failing(t *testing.T, question, world string, cause error) {
	t.Helper()
	play(t, world, plan{question: {cause, cause, cause}}, func(s *scene) {
		s.add("a")
		wait(10 * time.Minute)
		because := fmt.Sprintf("%s is answered three times with the error %q, and the limiter says 1s, 2s and 4s",
			question, cause)
		s.expectRuns("a", "a at 0s, a at 1s, a at 3s, a at 7s", because, func(runs []run) string {
			return failed(runs,
				cause)
		})
		for i, r := range s.runsOf("a") {
			s.expect(i == 3 || errors.Is(r.err, cause), fmt.Sprintf("%s is answered with the error %q: it is returned",
				question, cause),
				"returned was: "+s.returned("a"), "")
		}
		s.expect(s.deleted() == "a at 7s" || question == "delete a", "a is deleted at 7s",
			"deleted were "+s.deleted(), "")
	})
}

// failed is a belief about the runs after an error.
func failed(runs []run, cause error) string {
	first := runs[0]
	switch {
	case len(runs) == 1 && isTerminal(first.err):
		return "the belief that a run knows what can't be mended. What the API server refuses now it may accept once " +
			"somebody else has acted"
	case len(runs) == 1 && first.err == nil && apierrors.IsConflict(cause):
		return "the belief that a conflict is nothing. What was to be done was not done, and the change may have " +
			"been " +
			"seen before"
	case len(runs) >= 3 && first.err == nil && first.result.RequeueAfter > 0 &&
		runs[1].at-runs[0].at == runs[2].at-runs[1].at:
		return "the belief that RequeueAfter is for failures, too. It counts none: who is in trouble is asked as " +
			"often as " +
			"before"
	}
	return ""
}

func TestASuccessIsANewBeginning(t *testing.T) {
	exercise.Attempted(t)
	play(t, "a until=-1h", plan{"delete a": {errBroken, errBroken, nil, errBroken}}, func(s *scene) {
		s.add("a")
		wait(time.Hour)
		s.add("a")
		wait(time.Hour)
		s.expectRuns("a", "a at 0s, a at 1s, a at 3s, a at 1h0m0s, a at 1h0m1s",
			"the deletion fails twice, succeeds, and fails once when the key comes an hour later", nil)
	})
}

func TestARefusalWithATime(t *testing.T) {
	exercise.Attempted(t)
	for _, refusal := range []error{
		apierrors.NewTooManyRequests("busy", 30), fmt.Errorf("deleting a: %w", apierrors.NewTooManyRequests("busy", 7)),
		apierrors.NewServerTimeout(configMaps, "delete", 20),
	} {
		seconds, _ := apierrors.SuggestsClientDelay(refusal)
		play(t, "a until=-1h", plan{"delete a": {refusal, refusal, refusal, errBroken}}, func(s *scene) {
			s.add("a")
			wait(4 * time.Hour)
			delay := time.Duration(seconds) * time.Second
			want := fmt.Sprintf("a at 0s, a at %v, a at %v, a at %v", delay, 2*delay, 3*delay)
			because := fmt.Sprintf("three refusals %q ask for %ds", refusal, seconds)
			s.expect(strings.HasPrefix(s.ran("a"), want), because+": the runs begin with "+want,
				fmt.Sprintf("they were %s. Returned was: %s", s.ran("a"), s.returned("a")), refused(s.runsOf("a"),
					delay))
			s.expect(!slices.ContainsFunc(s.runsOf("a")[:3], func(r run) bool { return r.err != nil }),
				because+": no error is returned", "returned was: "+s.returned("a"), "")
			s.expectRuns("a", fmt.Sprintf("%s, a at %v", want, 3*delay+time.Second),
				because+", and then the deletion fails, the first time", nil)
		})
	}
}

// refused is a belief about the runs after a refusal with a time.
func refused(runs []run, delay time.Duration) string {
	if runs[0].err != nil && runs[0].result.RequeueAfter > 0 {
		return beside
	}
	if len(runs) > 1 && runs[1].at == time.Second && runs[0].err != nil && runs[0].result.IsZero() {
		return "the belief that the limiter knows best when to come again. The API server has said it"
	}
	if runs[0].took == delay {
		return keepsWorker
	}
	return ""
}

func TestNothingToDelete(t *testing.T) {
	exercise.Attempted(t)
	gone := apierrors.NewNotFound(configMaps, "a")
	for _, err := range []error{gone, fmt.Errorf("deleting a: %w", gone)} {
		play(t, "a until=-1h", plan{"delete a": {err}}, func(s *scene) {
			s.add("a")
			wait(4 * time.Hour)
			s.expectNoErrors("a", "somebody else has deleted a, and the cache does not show it yet")
			s.expectRuns("a", "a at 0s", "somebody else has deleted a, and the cache does not show it yet", nil)
		})
	}
}

func TestTheEndOfTheContext(t *testing.T) {
	exercise.Attempted(t)
	for _, question := range []string{"read a", "keeper a", "delete a"} {
		play(t, "a until=-1h", plan{question: {3 * time.Hour, nil}}, func(s *scene) {
			s.add("a")
			wait(time.Hour)
			s.end()
			wait(time.Minute)
			s.mu.Lock()
			cut := s.cut
			s.mu.Unlock()
			s.expect(cut == 1, fmt.Sprintf("the controller is stopped while %s takes three hours: the ctx that it "+
				"got has ended",
				question),
				"it has not ended", "")
			runs := s.runsOf("a")
			s.expect(len(runs) == 1 && runs[0].err != nil,
				fmt.Sprintf("%s has failed, since its ctx has ended: "+
					"the error is returned", question), "returned was: "+s.returned("a"),
				map[bool]string{true: "the belief that ctx ends with " +
					"the program alone. A controller may have a ReconciliationTimeout, and then the key has to come " +
					"again"}[len(runs) == 1 &&
					runs[0].err == nil])
		})
	}
	play(t, "a until=-1h", plan{"keeper a": {3 * time.Hour, false}}, func(s *scene) {
		s.add("a")
		wait(4 * time.Hour)
		s.expect(s.cut == 0 && s.deleted() == "a at 3h0m0s", "the Keeper takes three hours, and nobody has stopped "+
			"the "+
			"controller: a is deleted at 3h0m0s",
			fmt.Sprintf("deleted were %s; calls whose ctx has ended: %d", s.deleted(), s.cut), "")
	})
}
