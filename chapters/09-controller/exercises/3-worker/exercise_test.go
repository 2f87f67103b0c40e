package worker_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

type plan = map[string][]any

func TestNothingBeforeTheCaches(t *testing.T) {
	exercise.Attempted(t)
	const filled = "the belief that a cache is filled when its informer runs. To a run, what is not in the cache yet is not there"
	play(t, 2, nil, func(s *scene) {
		s.add("a", "b")
		time.Sleep(time.Minute)
		s.expect(s.ran("") == none, "two caches are not filled: nothing is reconciled", "reconciled: "+s.ran(""), filled)
		close(s.synced[1].done)
		time.Sleep(time.Minute)
		s.expect(s.ran("") == none, "one of two caches is not filled: nothing is reconciled", "reconciled: "+s.ran(""), "")
		close(s.synced[0].done)
		synctest.Wait()
		s.expect(s.ran("") == "a at 2m0s, b at 2m0s", "both caches are filled at 2m0s: a and b are reconciled",
			"reconciled: "+s.ran(""), "")
	}, "pods", "nodes")
	play(t, 2, nil, func(s *scene) {
		s.add("a")
		close(s.synced[0].done)
		time.Sleep(time.Minute)
		s.expect(s.ran("") == none, "the second of two caches is not filled: nothing is reconciled", "reconciled: "+s.ran(""), "")
		close(s.synced[1].done)
	}, "pods", "nodes")
}

func TestEndsBeforeTheCaches(t *testing.T) {
	exercise.Attempted(t)
	tired := errors.New("nobody wants to wait any more")
	for _, late := range [][]int{{0}, {1}, {0, 2}, {0, 1, 2}} {
		names := []string{"pods", "nodes", "secrets"}
		play(t, 1, nil, func(s *scene) {
			missing := map[string]bool{}
			for _, i := range late {
				missing[names[i]] = true
			}
			for i, name := range names {
				if !missing[name] {
					close(s.synced[i].done)
				}
			}
			s.add("a")
			time.Sleep(time.Minute)
			s.cancel(tired)
			err, returned := s.returned()
			about := fmt.Sprintf("ctx ends, and not filled of %v are the caches number %v (from 0)", names, late)
			s.expect(returned, about+": Run returns", "it has not returned", "")
			s.expect(err != nil && errors.Is(err, tired), about+": errors.Is finds the cause in what Run returns",
				fmt.Sprintf("it returned: %v", err), "")
			for _, name := range names {
				s.expect(err == nil || strings.Contains(err.Error(), name) == missing[name],
					fmt.Sprintf("%s: the error has the names of those, and no others", about), fmt.Sprintf("it is: %v", err), "")
			}
			s.expect(s.queue.ShuttingDown(), about+": the queue is shut down", "it is not", "")
			time.Sleep(time.Hour)
			s.expect(s.ran("") == none, about+": nothing is reconciled", "reconciled: "+s.ran(""), "")
		}, names...)
	}
	play(t, 1, nil, func(s *scene) {
		time.Sleep(time.Minute)
		close(s.synced[1].done)
		time.Sleep(time.Minute)
		s.cancel(tired)
		err, _ := s.returned()
		const about = "nodes is filled after a minute, and ctx ends after two, while pods and secrets are not filled"
		s.expect(err != nil, about+": Run returns an error", "it returned none", "")
		for name, missing := range map[string]bool{"pods": true, "nodes": false, "secrets": true} {
			s.expect(err == nil || strings.Contains(err.Error(), name) == missing,
				about+": the error has the names of those, and no others", fmt.Sprintf("it is: %v", err), "")
		}
	}, "pods", "nodes", "secrets")
}

func TestASuccess(t *testing.T) {
	exercise.Attempted(t)
	play(t, 2, plan{"b": {errBroken}}, func(s *scene) {
		s.add("a")
		time.Sleep(time.Hour)
		s.expect(s.ran("a") == "a at 0s", "a succeeds: it is reconciled once", "reconciled: "+s.ran("a"), "")
		s.add("a")
		time.Sleep(time.Minute)
		s.expect(s.ran("a") == "a at 0s, a at 1h0m0s", "a succeeds, and is added an hour later: it is reconciled again",
			"reconciled: "+s.ran("a"), "")
		s.expect(s.reported() == none, "a succeeds: nothing is reported", "reported: "+s.reported(), "")
	})
}

func TestAFailureComesAgainLater(t *testing.T) {
	exercise.Attempted(t)
	play(t, 2, plan{"a": {errBroken, errBroken, errBroken}}, func(s *scene) {
		s.add("a")
		time.Sleep(time.Hour)
		s.expect(s.queue.out("a") == 0, "Done is called once for each key that the queue hands out", "a failed, and is not done an hour "+
			"later", "")
		got := s.ran("a")
		belief := map[string]string{
			"a at 0s": "the belief that a failure is dealt with when it is reported",
			"a at 0s, a at 0s, a at 0s, a at 0s": "the belief that what failed should be tried again at once. What made it fail " +
				"is still there",
			"a at 0s, a at 1s, a at 2s, a at 3s": "",
		}[got]
		s.expect(got == "a at 0s, a at 1s, a at 3s, a at 7s", "a fails three times, and the limiter says 1s, 2s and 4s: it is "+
			"reconciled at 0s, 1s, 3s and 7s", "reconciled: "+got, belief)
		s.expect(s.reported() == strings.TrimSuffix(strings.Repeat("a: the server is on fire; ", 3), "; ") ||
			strings.Count(s.reported(), "the server is on fire") == 3, "a fails three times: each is reported",
			"reported: "+s.reported(), "")
		for _, err := range s.reportedErrors() {
			s.expect(errors.Is(err, errBroken), "errors.Is finds what Reconcile returned in what is reported",
				fmt.Sprintf("reported: %v", err), "")
		}
	})
}

func TestAFailureIsNotGivenUp(t *testing.T) {
	exercise.Attempted(t)
	const failures = 30
	play(t, 1, plan{"a": slices.Repeat([]any{errBroken}, failures)}, func(s *scene) {
		s.add("a")
		time.Sleep(24 * time.Hour)
		reported := len(s.reportedErrors())
		s.expect(reported == failures, fmt.Sprintf("a fails %d times, an hour apart in the end, and each is reported", failures),
			fmt.Sprintf("%d were", reported), map[bool]string{true: "the belief that what has failed often enough may be " +
				"dropped. What made it fail may end, and nobody else comes back to it"}[reported > 3 && reported < failures])
	})
}

func TestAnyErrorIsAnError(t *testing.T) {
	exercise.Attempted(t)
	const decided = "the belief that a worker knows which errors matter. Reconcile has decided that, by returning one"
	for _, cause := range []error{errGone, errThere, errInvalid, context.Canceled, context.DeadlineExceeded} {
		for _, err := range []error{cause, fmt.Errorf("writing a: %w", cause)} {
			play(t, 1, plan{"a": {err}}, func(s *scene) {
				s.add("a")
				time.Sleep(time.Hour)
				s.expect(s.ran("a") == "a at 0s, a at 1s",
					fmt.Sprintf("a fails once: it comes again: a at 0s, a at 1s: %v", err),
					"reconciled: "+s.ran("a"), map[string]string{"a at 0s": decided}[s.ran("a")])
				belief := decided
				if cause == errThere {
					belief = "the belief that 409 says conflict. It is also the code of what exists already: the reason tells them apart"
				}
				reported := s.reportedErrors()
				s.expect(len(reported) == 1 && errors.Is(reported[0], cause), fmt.Sprintf("it is reported: %v", err),
					"reported: "+s.reported(), map[bool]string{true: belief}[len(reported) == 0])
			})
		}
	}
}

func TestASuccessIsANewBeginning(t *testing.T) {
	exercise.Attempted(t)
	play(t, 1, plan{"a": {errBroken, errBroken, nil, errBroken}}, func(s *scene) {
		s.add("a")
		time.Sleep(time.Hour)
		s.add("a")
		time.Sleep(time.Hour)
		const want = "a at 0s, a at 1s, a at 3s, a at 1h0m0s, a at 1h0m1s"
		s.expect(s.ran("a") == want, "a fails twice, succeeds at 3s, and fails again an hour later: reconciled are "+want,
			"reconciled: "+s.ran("a"), map[string]string{"a at 0s, a at 1s, a at 3s, a at 1h0m0s, a at 1h0m4s": "the belief that " +
				"a success ends the count of failures. The limiter counts until it is told to forget"}[s.ran("a")])
	})
}

func TestAConflict(t *testing.T) {
	exercise.Attempted(t)
	for _, err := range []error{errOld, errOther, fmt.Errorf("writing a: %w", errOld),
		fmt.Errorf("writing a: %w", errOther)} {
		play(t, 1, plan{"a": {err}}, func(s *scene) {
			s.add("a")
			time.Sleep(time.Hour)
			s.expect(s.reported() == none, fmt.Sprintf("a conflict is not reported: %v", err),
				"reported: "+s.reported(), "")
			s.expect(s.ran("a") == "a at 0s, a at 1s", fmt.Sprintf("after a conflict the key comes again: a at 0s, a at 1s: %v", err),
				"reconciled: "+s.ran("a"), map[string]string{"a at 0s": "the belief that a conflict is nothing. The write has not " +
					"been made"}[s.ran("a")])
		})
	}
	play(t, 1, plan{"a": {errOld, errOld, errOld}}, func(s *scene) {
		s.add("a")
		time.Sleep(time.Hour)
		got := s.ran("a")
		belief := map[string]string{"a at 0s, a at 1s, a at 2s, a at 3s": "the belief that a conflict does not count. Two who " +
			"write one object would keep each other busy for ever"}[got]
		s.expect(got == "a at 0s, a at 1s, a at 3s, a at 7s", "three conflicts in a row, and the limiter says 1s, 2s and 4s: "+
			"a is reconciled at 0s, 1s, 3s and 7s", "reconciled: "+got, belief)
	})
	play(t, 1, plan{"a": {errQuoted}}, func(s *scene) {
		s.add("a")
		time.Sleep(time.Hour)
		s.expect(s.reported() != none, fmt.Sprintf("what is no conflict is reported: %v", errQuoted), "reported: none",
			"the belief that a conflict is known by its text")
	})
}

func TestAFailureHoldsUpNobody(t *testing.T) {
	exercise.Attempted(t)
	play(t, 1, plan{"a": {errBroken, errBroken, errBroken}}, func(s *scene) {
		s.add("a", "b", "c")
		time.Sleep(time.Hour)
		s.expect(s.ran("b") == "b at 0s" && s.ran("c") == "c at 0s", "a fails, and one worker reconciles b and c at 0s",
			"reconciled: "+s.ran("b")+", "+s.ran("c"), map[bool]string{true: "the belief that a worker should wait for what failed. " +
				"The queue does, and the worker can do something else"}[s.ran("b") != none])
	})
}

func TestAPanic(t *testing.T) {
	exercise.Attempted(t)
	play(t, 1, plan{"a": {panics("no such index")}}, func(s *scene) {
		s.add("a", "b")
		time.Sleep(time.Hour)
		s.expect(s.ran("b") == "b at 0s", "a panics, and b is reconciled at 0s", "reconciled: "+s.ran("b"), "")
		s.expect(s.ran("a") == "a at 0s, a at 1s", "a panics, and comes again after 1s", "reconciled: "+s.ran("a"), "")
		s.expect(strings.Contains(s.reported(), "no such index"), "a panics with no such index: that is reported",
			"reported: "+s.reported(), "")
	})
	play(t, 1, plan{"a": {panics("one"), panics("two"), panics("three")}}, func(s *scene) {
		s.add("a")
		time.Sleep(time.Hour)
		s.expect(s.ran("a") == "a at 0s, a at 1s, a at 3s, a at 7s", "three panics, and the limiter says 1s, 2s and 4s: a is "+
			"reconciled at 0s, 1s, 3s and 7s", "reconciled: "+s.ran("a"), "")
	})
}

func TestAsManyAsThereAreWorkers(t *testing.T) {
	exercise.Attempted(t)
	for _, workers := range []int{1, 3} {
		play(t, workers, plan{"a": {time.Hour}, "b": {time.Hour}, "c": {time.Hour}, "d": {time.Hour}, "e": {time.Hour}},
			func(s *scene) {
				s.add("a", "b", "c", "d", "e")
				time.Sleep(30 * time.Minute)
				most, _, _ := s.counts()
				s.expect(most == workers, fmt.Sprintf("5 keys, of which each takes an hour, and %d workers: %d are reconciled at one time",
					workers, workers), fmt.Sprintf("at most %d were: %s", most, s.ran("")), "")
				time.Sleep(10 * time.Hour)
				most, _, _ = s.counts()
				s.expect(most == workers && strings.Count(s.ran(""), " at ") == 5, "in the end all 5 are, each once",
					"reconciled: "+s.ran(""), "")
			})
	}
	play(t, 2, plan{"a": {panics("one"), nil}, "b": {time.Hour}, "c": {time.Hour}}, func(s *scene) {
		s.add("a")
		time.Sleep(time.Hour)
		s.add("b", "c")
		s.expect(s.ran("b") == "b at 1h0m0s" && s.ran("c") == "c at 1h0m0s",
			"a panics, and an hour later two workers reconcile b and c at one time", "reconciled: "+s.ran(""), "")
	})
}

func TestTheEnd(t *testing.T) {
	exercise.Attempted(t)
	play(t, 2, plan{"a": {time.Hour}, "b": {2 * time.Hour}}, func(s *scene) {
		s.add("a", "b", "c", "d")
		time.Sleep(10 * time.Minute)
		s.cancel(errors.New("that is all"))
		_, returned := s.returned()
		s.expect(!returned, "ctx ends while a and b are reconciled: Run waits for them", "it has returned",
			"the belief that whoever is told to end has ended")
		s.expect(s.queue.ShuttingDown(), "ctx ends: the queue is shut down", "it is not, while a and b are reconciled",
			"")
		time.Sleep(80 * time.Minute)
		_, returned = s.returned()
		s.expect(!returned, "a has ended, and b has not: Run waits", "it has returned", "")
		time.Sleep(time.Hour)
		err, returned := s.returned()
		s.expect(returned, "a and b have ended: Run returns", "it has not", "")
		s.expect(err == nil, "a and b have ended: Run returns nil", fmt.Sprintf("it returned: %v", err), "")
		_, late, cut := s.counts()
		s.expect(s.ran("") == "a at 0s, b at 0s", "ctx ends while c and d wait: they are not reconciled", "reconciled: "+s.ran(""),
			map[bool]string{true: "the belief that a queue that is shut down hands out nothing"}[late > 0])
		s.expect(cut == 2, "ctx ends while a and b are reconciled: the ctx that Reconcile got has ended", "it has not", "")
	})
	play(t, 2, nil, func(s *scene) {
		time.Sleep(time.Minute)
		s.cancel(errors.New("that is all"))
		err, returned := s.returned()
		s.expect(returned && err == nil, "ctx ends while the workers have nothing to do: Run returns nil",
			fmt.Sprintf("has it returned: %v; its error: %v", returned, err), "")
	})
}

func TestTheEndWhileAKeyIsHandedOut(t *testing.T) {
	exercise.Attempted(t)
	play(t, 1, nil, func(s *scene) {
		time.Sleep(time.Minute)
		s.queue.mu.Lock()
		s.queue.handing = func() { s.cancel(errors.New("that is all")) }
		s.queue.mu.Unlock()
		s.add("a")
		time.Sleep(time.Minute)
		s.expect(s.ran("a") == none, "a worker waits for a key, and ctx ends just before it gets a: a is not reconciled",
			"reconciled: "+s.ran("a"), "the belief that nothing happens during a Get. It is where a worker spends its time")
	})
}

func TestTheContextOfARun(t *testing.T) {
	exercise.Attempted(t)
	play(t, 1, plan{"a": {24 * time.Hour}}, func(s *scene) {
		s.add("a")
		time.Sleep(48 * time.Hour)
		_, _, cut := s.counts()
		s.expect(cut == 0, "a takes a day, and ctx has not ended: the ctx that Reconcile got has not ended either", "it has ended",
			"the belief that a run which takes long hangs. Who calls says how long it may take")
	})
}

func TestTheEndOfReports(t *testing.T) {
	exercise.Attempted(t)
	play(t, 1, plan{"a": {errBroken}}, func(s *scene) {
		s.telling = time.Hour
		s.add("a")
		time.Sleep(time.Minute)
		s.cancel(errors.New("that is all"))
		_, returned := s.returned()
		s.expect(!returned, "ctx ends while Report takes an hour: Run waits for what it has begun", "it has returned",
			"the belief that a goroutine which is only for reporting is nobody's. What comes after Run may be the end of the program")
		time.Sleep(2 * time.Hour)
		err, returned := s.returned()
		s.expect(returned && err == nil, "Report has ended: Run returns nil",
			fmt.Sprintf("has it returned: %v; its error: %v", returned, err), "")
	})
}

func TestSomebodyElseShutsTheQueueDown(t *testing.T) {
	exercise.Attempted(t)
	play(t, 1, plan{"a": {time.Hour}}, func(s *scene) {
		s.add("a", "b")
		s.queue.ShutDown()
		time.Sleep(2 * time.Hour)
		err, returned := s.returned()
		s.expect(s.ran("") == "a at 0s, b at 1h0m0s", "the queue is shut down while b waits: b is reconciled", "reconciled: "+s.ran(""), "")
		s.expect(returned && err == nil, "the queue is shut down: Run returns nil",
			fmt.Sprintf("has it returned: %v; its error: %v",
				returned, err), "")
	})
}

func TestSomebodyElseShutsTheQueueDownWhileKeysAreReconciled(t *testing.T) {
	exercise.Attempted(t)
	play(t, 2, plan{"a": {time.Hour}}, func(s *scene) {
		s.add("a")
		s.queue.ShutDown()
		time.Sleep(2 * time.Hour)
		_, _, cut := s.counts()
		s.expect(cut == 0, "the queue is shut down while a is reconciled, and ctx has not ended: the ctx that Reconcile got "+
			"has not ended either", "it has ended", "")
	})
	play(t, 2, plan{"a": {time.Hour}}, func(s *scene) {
		s.add("a")
		s.add("a")
		s.queue.ShutDown()
		time.Sleep(3 * time.Hour)
		s.expect(s.ran("a") == "a at 0s, a at 1h0m0s", "a is added again while it is reconciled, then the queue is shut down: "+
			"it is handed out once more after its Done, and reconciled", "reconciled: "+s.ran("a"), "")
		err, returned := s.returned()
		s.expect(returned && err == nil, "the queue has handed out everything: Run returns nil",
			fmt.Sprintf("has it returned: %v; its error: %v", returned, err), "")
	})
	play(t, 1, plan{"a": {time.Hour}, "b": {errBroken}}, func(s *scene) {
		s.add("a", "b")
		s.queue.ShutDown()
		time.Sleep(2 * time.Hour)
		s.expect(strings.Contains(s.reported(), errBroken.Error()), "the queue is shut down, then b fails: it is reported",
			"reported: "+s.reported(), "")
	})
}

func TestTheEndOfTheQueue(t *testing.T) {
	exercise.Attempted(t)
	play(t, 1, nil, func(s *scene) {
		s.queue.mu.Lock()
		s.queue.stopping = time.Hour
		s.queue.mu.Unlock()
		time.Sleep(time.Minute)
		s.cancel(errors.New("that is all"))
		_, returned := s.returned()
		s.queue.mu.Lock()
		open := s.queue.open
		s.queue.mu.Unlock()
		s.expect(!returned || open == 0, "ctx ends, and the queue's ShutDown takes an hour to return: Run waits for it",
			"Run has returned, and a goroutine of it is in ShutDown", "the belief that a function which is called when a context "+
				"ends has ended when it is stopped. It may have begun, and then nobody waits for it")
		time.Sleep(2 * time.Hour)
		err, returned := s.returned()
		s.expect(returned && err == nil, "ShutDown has returned: Run returns nil",
			fmt.Sprintf("has it returned: %v; its error: %v", returned, err), "")
	})
}
