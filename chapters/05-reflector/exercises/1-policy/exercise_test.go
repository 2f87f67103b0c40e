package policy_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"syscall"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/exercises/1-policy"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestResync(t *testing.T) {
	exercise.Attempted(t)
	const belief = "the belief that a resync asks the server. It tells the readers again what the store holds, right " +
		"or wrong, and nothing is sent"
	decides(t, Resyncing, goodOrder, Decision{Next: Stay}, clues{
		"Restart": belief, "Restart, Wait": belief, "Again": belief, "Again, Wait": belief, "Fall": belief,
	})
	for _, e := range append(others(), expired, tooNew, busy, refused, short) {
		decides(t, Resyncing, e, Decision{Next: Restart, Wait: true}, nil)
	}
}

func TestAnEndInGoodOrder(t *testing.T) {
	exercise.Attempted(t)
	const belief = "the belief that a list follows when a watch has ended. The server ends each watch after some " +
		"minutes, and then each client would ask for all objects again"
	decides(t, Watching, goodOrder, Decision{Next: Again}, clues{"Restart": belief, "Restart, Wait": belief})
	decides(t, Streaming, goodOrder, Decision{Next: Again}, nil)
}

func TestAVersionThatHasExpired(t *testing.T) {
	exercise.Attempted(t)
	const newest = "the belief that after a 410 only the newest state will do. The server has forgotten what " +
		"happened since the version. A state that is not older than it, it may well have, and from memory"
	const told = "the belief that the watch error handler hears of whatever ends a watch. Of what comes as an event " +
		"of an open watch it hears nothing"
	decides(t, Watching, expired, Decision{Next: Restart, Wait: true}, clues{
		"Restart, Forget": newest, "Restart, Wait, Forget": newest, "Restart, Wait, Tell": told,
	})
	decides(t, Opening, expired, Decision{Next: Restart, Wait: true, Tell: true}, nil)
	for _, doing := range []Doing{Streaming, Listing} {
		decides(t, doing, expired, Decision{Next: Again, Forget: true}, nil)
		decides(t, doing, tooNew, Decision{Next: Again, Forget: true}, nil)
	}
	decides(t, Opening, tooNew, Decision{Next: Restart, Wait: true, Tell: true}, nil)
	decides(t, Watching, tooNew, Decision{Next: Restart, Wait: true}, nil)
	about := clues{anything: "the belief that a version that is too large is a timeout. That is how today's API " +
		"server says it; the cause alone says what it is"}
	for _, e := range []ending{
		status(http.StatusBadRequest, metav1.StatusReasonBadRequest, tooLarge), status(0, "", tooLarge),
	} {
		decides(t, Streaming, e, Decision{Next: Again, Forget: true}, about)
		decides(t, Listing, e, Decision{Next: Again, Forget: true}, about)
	}
}

func TestABusyServer(t *testing.T) {
	exercise.Attempted(t)
	const belief = "the belief that after a 429 everything has to be listed again. The server has not looked at the " +
		"version; it has too much to do, and a list is more to do"
	about := clues{"Restart, Wait": belief, "Restart, Wait, Tell": belief}
	decides(t, Watching, busy, Decision{Next: Again, Wait: true}, about)
	decides(t, Opening, busy, Decision{Next: Again, Wait: true}, about)
	decides(t, Streaming, busy, Decision{Next: Again, Wait: true}, nil)
	for _, away := range []ending{{"ErrRefused", ErrRefused}, refused} {
		decides(t, Opening, away, Decision{Next: Again, Wait: true}, nil)
		decides(t, Streaming, away, Decision{Next: Again, Wait: true}, nil)
	}
	first := clues{anything: "the belief that errors.As finds each error of a type. It finds the first one, and " +
		"errors.Is asks all of them"}
	for _, doing := range []Doing{Opening, Streaming} {
		decides(t, doing, joined(refused, dial(syscall.ECONNRESET)), Decision{Next: Again, Wait: true}, nil)
		decides(t, doing, joined(dial(syscall.ECONNRESET), refused), Decision{Next: Again, Wait: true}, first)
		decides(t, doing, aggregate(refused), Decision{Next: Again, Wait: true}, nil)
	}
}

func TestAVeryShortWatch(t *testing.T) {
	exercise.Attempted(t)
	const belief = "the belief that what ends in good order is in good order. A server that accepts each watch and " +
		"closes it at once makes an endless loop of it"
	decides(t, Watching, short, Decision{Next: Restart, Wait: true}, clues{"Again": belief})
	decides(t, Streaming, short, Decision{Next: Fall}, nil)
}

func TestAListThatFails(t *testing.T) {
	exercise.Attempted(t)
	const belief = "the belief that who has fallen back to lists stays with them. A server that failed for a moment " +
		"would have this client list for ever"
	about := clues{"Again, Wait": belief, "Again, Wait, Tell": belief}
	for _, e := range slices.Concat([]ending{failed, busy, refused}, delayed(), others()) {
		decides(t, Listing, e, Decision{Next: Restart, Wait: true, Tell: true}, about)
	}
}

func TestOtherErrors(t *testing.T) {
	exercise.Attempted(t)
	const (
		again = "the belief that a watch goes on after a 500. The same watch from the same version comes to the same " +
			"event, which the server could not send"
		streams = "the belief that each server knows streaming lists. One that does not would be asked for one for ever"
		eof     = "the belief that io.EOF is an end in good order. Of that, a response says nil, and this one did not"
	)
	decides(t, Watching, failed, Decision{Next: Restart, Wait: true}, clues{
		"Again": again, "Again, Wait": again,
	})
	about := clues{"Again": streams, "Again, Wait": streams}
	decides(t, Streaming, failed, Decision{Next: Fall}, about)
	for _, e := range others() {
		decides(t, Watching, e, Decision{Next: Restart, Wait: true}, nil)
		decides(t, Opening, e, Decision{Next: Restart, Wait: true, Tell: true}, nil)
		decides(t, Streaming, e, Decision{Next: Fall}, nil)
	}
	delay := clues{"Again, Wait": "the belief that a server which says when to come back is busy. One that has " +
		"failed says that, too"}
	for _, e := range delayed() {
		decides(t, Watching, e, Decision{Next: Restart, Wait: true}, delay)
		decides(t, Opening, e, Decision{Next: Restart, Wait: true, Tell: true}, delay)
		decides(t, Streaming, e, Decision{Next: Fall}, delay)
	}
	end := ending{"io.EOF", io.EOF}
	decides(t, Watching, end, Decision{Next: Restart, Wait: true}, clues{"Again": eof})
	decides(t, Streaming, end, Decision{Next: Fall}, clues{"Again": eof})
	for _, doing := range []Doing{Opening, Listing} {
		decides(t, doing, end, Decision{Next: Restart, Wait: true, Tell: true}, nil)
	}
}

func TestTwoReasonsForOneThing(t *testing.T) {
	exercise.Attempted(t)
	decides(t, Streaming, expired, Decision{Next: Again, Forget: true}, nil)
	const belief = "the belief that a 410 has one reason. Expired is that of today's API server; others, and older " +
		"ones, say Gone"
	for _, doing := range []Doing{Streaming, Listing} {
		decides(t, doing, gone, Decision{Next: Again, Forget: true}, clues{anything: belief})
	}
	decides(t, Opening, gone, Decision{Next: Restart, Wait: true, Tell: true}, nil)
	decides(t, Watching, gone, Decision{Next: Restart, Wait: true}, nil)
}

func TestAStatusWithoutACode(t *testing.T) {
	exercise.Attempted(t)
	decides(t, Streaming, expired, Decision{Next: Again, Forget: true}, nil)
	decides(t, Watching, busy, Decision{Next: Again, Wait: true}, nil)
	about := clues{anything: "the belief that a status is its code. Reasons share codes, and a code may be missing"}
	for _, doing := range []Doing{Streaming, Listing} {
		for _, reason := range []metav1.StatusReason{metav1.StatusReasonExpired, metav1.StatusReasonGone} {
			decides(t, doing, status(0, reason), Decision{Next: Again, Forget: true}, about)
		}
		decides(t, doing, status(0, metav1.StatusReasonTimeout, tooLarge), Decision{Next: Again, Forget: true}, about)
		second := []metav1.CauseType{metav1.CauseTypeFieldValueInvalid, tooLarge}
		tooNew := status(http.StatusGatewayTimeout, metav1.StatusReasonTimeout, second...)
		decides(t, doing, tooNew, Decision{Next: Again, Forget: true}, nil)
	}
	for _, doing := range []Doing{Streaming, Opening, Watching} {
		decides(t, doing, status(0, metav1.StatusReasonTooManyRequests), Decision{Next: Again, Wait: true}, about)
	}
}

func TestAMessageIsForPeople(t *testing.T) {
	exercise.Attempted(t)
	timeout := says(http.StatusGatewayTimeout, metav1.StatusReasonTimeout, "Too large resource version: 9, current: 5")
	about := clues{"Again, Forget": "the belief that a message says what has happened. It is for people, and may " +
		"change with any release; what programs go by are the reason and the causes"}
	decides(t, Streaming, timeout, Decision{Next: Fall}, about)
	decides(t, Listing, timeout, Decision{Next: Restart, Wait: true, Tell: true}, about)
}

func TestWrappedErrors(t *testing.T) {
	exercise.Attempted(t)
	about := clues{anything: "the belief that the error that arrives is the one that was made. On its way somebody " +
		"may have put words around it"}
	for _, q := range questions() {
		decides(t, q.doing, q.ended, q.want, nil)
		if q.ended.err == nil {
			continue
		}
		for _, e := range wrapped(q.ended) {
			decides(t, q.doing, e, q.want, about)
		}
	}
}

func TestTwoRulesFit(t *testing.T) {
	exercise.Attempted(t)
	decides(t, Streaming, expired, Decision{Next: Again, Forget: true}, nil)
	decides(t, Streaming, refused, Decision{Next: Again, Wait: true}, nil)
	both := status(http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests, tooLarge)
	for _, e := range []ending{joined(expired, refused), joined(refused, tooNew), both} {
		decides(t, Streaming, e, Decision{Next: Again, Forget: true}, nil)
		decides(t, Listing, e, Decision{Next: Again, Forget: true}, nil)
		decides(t, Opening, e, Decision{Next: Again, Wait: true}, nil) // of these, only rule 4 is about Opening
	}
	decides(t, Watching, both, Decision{Next: Again, Wait: true}, nil)
	for _, doing := range []Doing{Streaming, Opening, Watching} {
		decides(t, doing, joined(short, busy), Decision{Next: Again, Wait: true}, nil)
	}
}

func TestNoMemory(t *testing.T) {
	exercise.Attempted(t)
	for _, q := range questions() {
		for i := range 100 {
			got := Decide(q.doing, q.ended.err)
			exercise.Expect(t, got == q.want, exercise.Verdict{
				Expected: fmt.Sprintf("%s is %s, also when it is asked %d times",
					asked(q.doing, q.ended), text(q.want), i+1),
				Happened: fmt.Sprintf("it was %s the last time", text(got)),
			})
		}
	}
	var all sync.WaitGroup
	for seed := range uint64(4) {
		all.Go(func() {
			mixed := slices.Repeat(questions(), 5)
			r := rand.New(rand.NewPCG(seed, 5))
			r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
			for _, q := range mixed {
				if got := Decide(q.doing, q.ended.err); got != q.want {
					exercise.Report(t, exercise.Verdict{
						Expected: fmt.Sprintf("%s is %s, whatever was asked before, and by whom",
							asked(q.doing, q.ended), text(q.want)),
						Happened: fmt.Sprintf("it was %s", text(got)),
					})
					return
				}
			}
		})
	}
	all.Wait()
}
