package gone_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/tools/cache"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/exercises/1-gone"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestGoneFromTheQueueAndFromTheConsumer(t *testing.T) {
	exercise.Attempted(t)
	// More is there than in the list, so that who compares numbers gets it right, and is told no belief.
	scene{queue("Added default/a v1"), has("default/b v1"), list("default/b v1")}.wants(t, clues{
		"nothing": "the belief that the consumer has all that there is. What waits in the queue is in no store yet",
		"†default/a holding <nil>": "the belief that the key says all about what is gone. " +
			"Handlers want to know whose it was: labels and owners are in the object",
	}, "default/a v1")
	scene{queue(), has("default/a v1", "default/b v1"), list("default/b v1")}.wants(t, clues{
		"nothing": "the belief that the queue holds all that there is. " +
			"It holds what the consumer has not processed yet, which is mostly nothing",
	}, "default/a v1")
	scene{queue("Added default/a v1"), has(), list("default/b v1")}.wants(t, nil, "default/a v1")
	scene{queue(), has("default/a v1"), list("default/b v1")}.wants(t, nil, "default/a v1")
	scene{queue("Updated default/a v1"), has("default/a v1"), list("default/b v1")}.wants(t, nil, "default/a v1")
	scene{queue("Added default/a v1"), nil, list()}.wants(t, nil, "default/a v1")
	scene{nil, has("default/b v1", "default/a v1"), nil}.wants(t, nil, "default/b v1", "default/a v1")
	scene{nil, nil, nil}.wants(t, nil)
}

func TestLastKnownState(t *testing.T) {
	exercise.Attempted(t)
	const (
		oldest = "the belief that the first delta says what an object is. It says what the object was"
		behind = "the belief that the consumer has the last known state. The queue is ahead of it"
	)
	three := queue("Added default/a v1", "Updated default/b v1", "Updated default/a v2", "Updated default/a v3")
	scene{three, has(), list("default/b v1")}.wants(t, clues{
		"†default/a v1": oldest,
	}, "default/a v3")
	scene{queue("Updated default/a v2"), has("default/a v1"), list("default/b v1")}.wants(t, clues{
		"†default/a v1": behind,
	}, "default/a v2")
	for _, kind := range []string{"Sync", "Replaced"} {
		scene{queue("Added default/a v1", kind+" default/a v2"), has("default/a v2"), list()}.wants(t, clues{
			"†default/a v1": "the belief that a Sync or a Replaced says only that an object is still there. " +
				"It brings the object as it is, which may be another one than the queue had",
		}, "default/a v2")
	}
	scene{queue("Updated " + void), has(void + " v1"), list()}.wants(t, clues{
		"†" + void + " v1": behind,
	}, void+" nil")
	scene{queue("Added "+void+" v1", "Updated "+void), has(), list()}.wants(t, clues{
		"†" + void + " v1": "the belief that a nil says nothing. It is what key takes, and the newest there is",
	}, void+" nil")
	scene{queue("Updated " + void), has(void + " v1"), list(void)}.wants(t, nil)
}

func TestDeletedAlready(t *testing.T) {
	exercise.Attempted(t)
	const (
		stillKnown = "the belief that what the consumer has is there. " +
			"It does not know yet of the deletion that waits, and would hear of two"
		forever = "the belief that what is deleted stays deleted. Its key may have been given to a new object since"
		wrapped = "the belief that a tombstone is an object like others. " +
			"A handler that unwraps one finds another one"
	)
	scene{queue("Deleted default/a v1"), has(), list("default/b v1")}.wants(t, nil)
	scene{queue("Deleted default/a v2"), has("default/a v1"), list("default/b v1")}.wants(t, clues{
		"†default/a v1": stillKnown,
	})
	scene{queue("Deleted default/a v1", "Added default/a v2"), has(), list()}.wants(t, clues{
		"nothing": forever,
	}, "default/a v2")
	scene{queue("Added default/a v1", "Deleted †default/a v1"), has(), list("default/b v1")}.wants(t, clues{
		"†default/a holding †default/a v1": wrapped,
	})
	scene{queue("Deleted †default/a v1", "Replaced default/a v2"), has("default/a v1"), list()}.wants(t, clues{
		"nothing": forever,
	}, "default/a v2")
}

func TestKeysSayWhatIsTheSame(t *testing.T) {
	exercise.Attempted(t)
	const pointer = "the belief that an object that is still there is the same in the list. " +
		"The list was decoded anew, and its objects may have changed, too"
	scene{queue("Added default/a v1"), has("default/b v1"), list("default/a v1", "default/b v2")}.wants(t, clues{
		"†default/a v1, †default/b v1": pointer, "†default/b v1": pointer, "†default/a v1": pointer,
	})
	const names = "the belief that a name says which object it is. Each namespace may have one of that name"
	scene{queue("Added prod/a v1"), has("test/a v1"), list("default/a v1")}.wants(t, clues{
		"nothing": names,
	}, "prod/a v1", "test/a v1")
	scene{queue("Added a v1", "Deleted a/b v1"), has("a/b/c v1"), list("b v1")}.wants(t, nil, "a v1", "a/b/c v1")
	// Two objects of one key, and others after them.
	scene{queue("Added c v1"), has("b v1", "d v1"), list("b v1", "b v2", "a v1", "c v2", "a v2")}.wants(t, nil, "d v1")
	const v1 = empty + " v1"
	scene{queue("Added " + v1), has(), list("b v1")}.wants(t, nil, v1)
	scene{queue(), has(v1), list("b v1")}.wants(t, nil, v1)
	scene{queue("Deleted " + v1), has(v1), list()}.wants(t, nil)
	scene{queue("Deleted †" + v1), has(v1), list()}.wants(t, nil)
	scene{queue("Added " + v1), has(v1), list(v1)}.wants(t, nil)
}

func TestConsumerThatCannotSay(t *testing.T) {
	exercise.Attempted(t)
	const (
		swallowed = "the belief that nothing can be said about an object that can't be read. " +
			"Its key is known and not in the list: it is gone"
		beside = "the belief that what comes beside an error, or beside false, can be used. It is nobody's state"
	)
	for _, state := range []string{broken, missing} {
		scene{queue(), has("default/a " + state), list()}.wants(t, clues{
			"nothing": swallowed, "an error": swallowed, "†default/a not-this": beside,
		}, "default/a nil")
		scene{queue(), has("default/a "+state, "default/b "+state, "default/c v1"), list("default/b v1")}.wants(t,
			nil, "default/a nil", "default/c v1")
	}
}

func TestObjectsWithoutAKey(t *testing.T) {
	exercise.Attempted(t)
	waits := []string{"Added default/a v1", "Updated default/b v1"}
	for _, s := range []scene{
		{queue(waits...), has("default/c v1"), list("default/b v1", "none v1")},
		{queue(append(waits, "Added none v1")...), has("default/c v1"), list("default/b v1")},
		{nil, nil, list("none v1")},
		// Nothing can be gone, or no longer, when the list comes to none.
		{nil, nil, list("default/b v1", "none v1")},
		{nil, has("default/a v1"), list("default/a v1", "none v1")},
		{queue("Added default/a v1"), nil, list("default/a v1", "none v1")},
		{queue("Deleted default/a v1"), has("default/a v1"), list("default/b v1", "none v1")},
		{queue(append(waits, "Deleted none v1", "Added default/c v1")...), nil, list()},
	} {
		check := s.unchanged(t)
		got, err := Tombstones(s.queued, s.known, s.list, keyOf)
		check()
		exercise.Expect(t, errors.Is(err, errKey) && len(got) == 0, exercise.Verdict{
			Expected: fmt.Sprintf("%s; key returns an error for none: so does Tombstones, with no tombstones", s),
			Happened: fmt.Sprintf("it returned %s and the error %v", tell(got), err),
		})
	}
}

// All queues of up to two deltas about two keys, all that a consumer may say about them, and all lists; and all queues
// of three, where the list has none or one.
func TestEveryQueue(t *testing.T) {
	exercise.Attempted(t)
	deltas := []string{"Updated a ", "Sync a ", "Deleted a ", "Deleted †a ", "Replaced b ", "Deleted b "}
	queues := [][]string{nil}
	for at := 0; at < len(queues); at++ {
		for _, d := range deltas {
			if n := len(queues[at]); n < 3 {
				queues = append(queues, append(slices.Clone(queues[at]), fmt.Sprintf("%sv%d", d, n+1)))
			}
		}
	}
	consumers := []cache.KeyListerGetter{nil, has(), has("b v0"), has("b v0", "a v0"), has("a v0", "b "+broken),
		has("a " + missing)}
	lists := [][]any{list(), list("b v9"), list("b v9", "a v9")}
	for _, q := range queues {
		consumers, lists := consumers, lists
		if len(q) == 3 {
			consumers, lists = consumers[2:4], lists[:2]
		}
		for _, known := range consumers {
			for _, l := range lists {
				s := scene{queue(q...), known, l}
				s.wants(t, nil, s.gone(q)...)
			}
		}
	}
}

// gone is what is to be found in a scene of TestEveryQueue, whose queue is written in q.
func (s scene) gone(q []string) (out []string) {
	newest := map[string]string{"a": "", "b": ""}
	for _, o := range s.list {
		delete(newest, o.(object)["key"])
	}
	var order []string
	for _, delta := range q {
		_, what, _ := strings.Cut(strings.ReplaceAll(delta, "†", ""), " ")
		key := what[:1]
		if _, ok := newest[key]; !ok {
			continue
		}
		if !slices.Contains(order, key) {
			order = append(order, key)
		}
		newest[key] = what
		if strings.HasPrefix(delta, "Deleted") {
			newest[key] = "gone"
		}
	}
	c, _ := s.known.(consumer)
	for _, o := range c {
		key := o["key"]
		if state, ok := newest[key]; ok && state == "" {
			order = append(order, key)
			newest[key] = strings.NewReplacer(broken, "nil", missing, "nil").Replace(o.String())
		}
	}
	for _, key := range order {
		if newest[key] != "gone" {
			out = append(out, newest[key])
		}
	}
	return out
}
