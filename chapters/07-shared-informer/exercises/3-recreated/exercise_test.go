package recreated_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestALife(t *testing.T) {
	exercise.Attempted(t)
	plays(t, clues{
		"Died ns/a u1 v1, final; Born ns/a u1 v2": renewed, "Died ns/a u1 v1, not final; Born ns/a u1 v2": renewed,
		"Died ns/a u1 v3-deleting, final": going, "Died ns/a u1 v3-deleting, not final": going,
		"Died ns/a u1 v2, not final": going,
	},
		"OnAdd ns/a u1 v1: Born ns/a u1 v1",
		"OnUpdate ns/a u1 v2: Changed ns/a u1 v1 to ns/a u1 v2",
		"OnUpdate ns/a u1 v3-deleting: Changed ns/a u1 v2 to ns/a u1 v3-deleting",
		"OnDelete ns/a u1 v4-deleting: Died ns/a u1 v4-deleting, final",
		"OnAdd ns/a u2 v5: Born ns/a u2 v5",
	)
	plays(t, clues{
		nobody: "the belief that the initial list is not news. Who comes later is told what is there, " +
			"and nothing else tells of it",
	},
		"OnAdd(initial) ns/b u1 v1: Born ns/b u1 v1",
		"OnAdd(initial) ns/c u2 v2: Born ns/c u2 v2",
		"OnDelete ns/b u1 v3: Died ns/b u1 v3, final",
		"OnUpdate ns/c u2 v4: Changed ns/c u2 v2 to ns/c u2 v4",
	)
}

const (
	renewed = "the belief that a resourceVersion says which object it is. It says which state of the object it is"
	going   = "the belief that a deletionTimestamp is the end. The object is there until its last finalizer is removed"
)

func TestHandlersShareNothing(t *testing.T) {
	exercise.Attempted(t)
	one, other := newScene(), newScene()
	one.script(t, nil, "OnAdd ns/d u1 v1: Born ns/d u1 v1")
	other.calls = []string{"another handler is told OnAdd ns/d u1 v1"}
	other.script(t, nil,
		"OnAdd ns/d u1 v1: Born ns/d u1 v1",
		"OnDelete ns/d u1 v2: Died ns/d u1 v2, final",
	)
	one.calls = append(one.calls, "another handler is told OnAdd ns/d u1 v1 and OnDelete ns/d u1 v2")
	one.script(t, nil, "OnDelete ns/d u1 v3: Died ns/d u1 v3, final")
}

func TestAnotherUIDIsAnotherLife(t *testing.T) {
	exercise.Attempted(t)
	plays(t, clues{
		"Changed ns/a u1 v1 to ns/a u2 v5": "the belief that a name says which object it is. " +
			"What belonged to u1 outside of the cluster would be taken for u2's",
		"Born ns/a u2 v5": "the belief that an informer tells of each deletion. This one it missed: no OnDelete comes for u1",
		"Died ns/a u1 v1, not final": "the belief that an informer tells of each creation. This one it missed: " +
			"no OnAdd comes for u2",
		"Born ns/a u2 v5; Died ns/a u1 v1, not final": "the belief that the order of the two does not matter. " +
			"Whoever keeps something under the key would throw away what is u2's",
		"Died ns/a u1 v1, final; Born ns/a u2 v5": "the belief that OnUpdate's old is what was deleted. It is the last " +
			"state that came here: the informer missed the end, and what may have come before it",
	},
		"OnAdd ns/a u1 v1: Born ns/a u1 v1",
		"OnUpdate ns/a u2 v5: Died ns/a u1 v1, not final; Born ns/a u2 v5",
		"OnUpdate ns/a u2 v6: Changed ns/a u2 v5 to ns/a u2 v6",
		"OnUpdate ns/a u3 v9: Died ns/a u2 v6, not final; Born ns/a u3 v9",
		"OnDelete ns/a u3 v10: Died ns/a u3 v10, final",
	)
	versions := clues{
		nobody: "the belief that what has the same resourceVersion is the same. That holds for two states of one object",
	}
	plays(t, versions,
		"OnAdd ns/a u1 v1: Born ns/a u1 v1",
		"OnUpdate ns/a u2 v1: Died ns/a u1 v1, not final; Born ns/a u2 v1",
	)
	plays(t, versions,
		"OnAdd ns/a u1 x: Born ns/a u1 x",
		"OnUpdate ns/a u2 y: Died ns/a u1 x, not final; Born ns/a u2 y",
	)
	plays(t, nil,
		"OnAdd ns/a u1 v5: Born ns/a u1 v5",
		"OnUpdate ns/a u2 v1: Died ns/a u1 v5, not final; Born ns/a u2 v1",
	)
}

func TestTheSameStateAgain(t *testing.T) {
	exercise.Attempted(t)
	const told = "the belief that OnUpdate means that something has changed. A resync brings each object every time, " +
		"and each new list brings all of them"
	s := newScene()
	s.script(t, nil, "OnAdd ns/a u1 v1: Born ns/a u1 v1")
	same := s.there["ns/a"]
	s.calls, s.told = append(s.calls, "OnUpdate of the same object as old and new"), nil
	s.handler.OnUpdate(same, same)
	exercise.Expect(t, len(s.told) == 0, exercise.Verdict{
		Expected: strings.Join(s.calls, ", and then ") + ": " + nobody,
		Happened: strings.Join(s.told, "; "),
		PointsTo: told,
	})
	s.script(t, clues{
		"Changed ns/a u1 v1 to ns/a u1 v1": "the belief that the same state is the same pointer. " +
			"A new list has been decoded anew",
		nobody: "the belief that something else than the resourceVersion tells whether a state is new",
	},
		"OnUpdate ns/a u1 v1",
		"OnUpdate ns/a u1 v2: Changed ns/a u1 v1 to ns/a u1 v2",
		"OnUpdate ns/a u1 v2",
		"OnDelete ns/a u1 v2: Died ns/a u1 v2, final",
	)
	plays(t, clues{
		nobody: "the belief that a resourceVersion can be less than another. A list from an API server that " +
			"lags brings an older state, and the store has that from then on",
	},
		"OnAdd ns/a u1 v9: Born ns/a u1 v9",
		"OnUpdate ns/a u1 v8: Changed ns/a u1 v9 to ns/a u1 v8",
		"OnUpdate ns/a u1 v10: Changed ns/a u1 v8 to ns/a u1 v10",
		"OnDelete ns/a u1 v11: Died ns/a u1 v11, final",
	)
	plays(t, clues{
		nobody: "the belief that a state that was told once is known for ever. What was told last is another one",
	},
		"OnAdd ns/a u1 v9: Born ns/a u1 v9",
		"OnUpdate ns/a u1 v10: Changed ns/a u1 v9 to ns/a u1 v10",
		"OnUpdate ns/a u1 v9: Changed ns/a u1 v10 to ns/a u1 v9",
		"OnDelete ns/a u1 v11: Died ns/a u1 v11, final",
	)
	plays(t, clues{
		nobody: "the belief that two empty resourceVersions are equal. They say nothing about the states: " +
			"a transformer has removed them",
	},
		"OnAdd ns/a u1 x: Born ns/a u1 x",
		"OnUpdate ns/a u1 y: Changed ns/a u1 x to ns/a u1 y",
		"OnUpdate ns/a u1 y: Changed ns/a u1 y to ns/a u1 y",
		"OnUpdate ns/a u1 v1: Changed ns/a u1 y to ns/a u1 v1",
		"OnUpdate ns/a u1 z: Changed ns/a u1 v1 to ns/a u1 z",
	)
}

func TestTombstones(t *testing.T) {
	exercise.Attempted(t)
	plays(t, clues{
		nobody: "the belief that a deletion without an object tells of none. The key of the tombstone says which one it was",
	},
		"OnAdd ns/a u1 v1: Born ns/a u1 v1",
		"OnUpdate ns/a u1 v2: Changed ns/a u1 v1 to ns/a u1 v2",
		"OnDelete †ns/a: Died ns/a u1 v2, not final",
	)
	plays(t, clues{
		"Died ns/a u1 v2, final": "the belief that a tombstone holds the final state. It holds what the informer had, " +
			"which missed the deletion and may have missed more",
	},
		"OnAdd ns/a u1 v2: Born ns/a u1 v2",
		"OnDelete †ns/a ns/a u1 v2: Died ns/a u1 v2, not final",
	)
	plays(t, clues{
		"Died ns/a u1 v1, not final": "the belief that a tombstone has the newest state. v2 came here before it",
	},
		"OnAdd ns/a u1 v1: Born ns/a u1 v1",
		"OnUpdate ns/a u1 v2: Changed ns/a u1 v1 to ns/a u1 v2",
		"OnDelete †ns/a ns/a u1 v1: Died ns/a u1 v2, not final",
	)
	plays(t, nil,
		"OnAdd ns/a u1 v1: Born ns/a u1 v1",
		"OnUpdate ns/a u2 v5: Died ns/a u1 v1, not final; Born ns/a u2 v5",
		"OnDelete †ns/a ns/a u1 v1: Died ns/a u2 v5, not final",
		"OnAdd ns/a u3 v9: Born ns/a u3 v9",
		"OnDelete †ns/a ns/b u9 v8: Died ns/a u3 v9, not final",
	)
}

func TestTheDeletionOfAnother(t *testing.T) {
	exercise.Attempted(t)
	const unborn = "the belief that whoever is deleted was born. Nobody here was told of u2, and u1 has ended unseen"
	plays(t, clues{
		nobody: "the belief that the deletion of u2 says nothing about u1. " +
			"Where u2 was, u1 was gone before",
		"Died ns/a u2 v7, final": unborn, "Died ns/a u2 v7, not final": unborn,
	},
		"OnAdd ns/a u1 v1: Born ns/a u1 v1",
		"OnDelete ns/a u2 v7: Died ns/a u1 v1, not final",
		"OnAdd ns/a u3 v8: Born ns/a u3 v8",
	)
}

func TestWhereNothingLives(t *testing.T) {
	exercise.Attempted(t)
	plays(t, nil,
		"OnDelete ns/a u1 v2",
		"OnDelete †ns/a",
		"OnDelete †ns/a ns/a u1 v1",
		"OnAdd ns/a u1 v3: Born ns/a u1 v3",
		"OnDelete †ns/b ns/a u1 v3",
		"OnDelete ns/a u1 v4: Died ns/a u1 v4, final",
		"OnDelete ns/a u1 v4",
		"OnDelete †ns/a ns/a u1 v3",
	)
}

func TestKeys(t *testing.T) {
	exercise.Attempted(t)
	plays(t, nil,
		"OnAdd prod/a u1 v1: Born prod/a u1 v1",
		"OnAdd test/a u2 v2: Born test/a u2 v2",
		"OnAdd a u3 v3: Born a u3 v3",
		"OnUpdate prod/a u1 v4: Changed prod/a u1 v1 to prod/a u1 v4",
		"OnDelete †test/a: Died test/a u2 v2, not final",
		"OnUpdate a u4 v5: Died a u3 v3, not final; Born a u4 v5",
		"OnDelete †a a u3 v3: Died a u4 v5, not final",
		"OnDelete prod/a u1 v6: Died prod/a u1 v6, final",
	)
}

func TestBackAgain(t *testing.T) {
	exercise.Attempted(t)
	plays(t, clues{
		nobody: "the belief that a UID is born once and for all. An object leaves the selector of an informer and comes back",
	},
		"OnAdd ns/a u1 v1: Born ns/a u1 v1",
		"OnDelete ns/a u1 v2: Died ns/a u1 v2, final",
		"OnAdd ns/a u1 v3: Born ns/a u1 v3",
		"OnDelete †ns/a ns/a u1 v3: Died ns/a u1 v3, not final",
		"OnAdd ns/a u1 v3: Born ns/a u1 v3",
		"OnUpdate ns/a u2 v5: Died ns/a u1 v3, not final; Born ns/a u2 v5",
		"OnUpdate ns/a u1 v6: Died ns/a u2 v5, not final; Born ns/a u1 v6",
	)
}

func TestAddedAgain(t *testing.T) {
	exercise.Attempted(t)
	const again = "the belief that OnAdd tells of what is new. It tells a handler of what is there when " +
		"the handler is added, each time"
	plays(t, clues{
		"Born ns/a u1 v1": again, "Born ns/b u2 v5": again, "Born ns/c u9 v6": again,
		nobody: "the belief that OnAdd of what is known brings nothing new. It brings the state of today",
		"Changed ns/c u3 v3 to ns/c u9 v6": "the belief that only OnUpdate hides a deletion. " +
			"A handler that was not there was told of none",
	},
		"OnAdd(initial) ns/a u1 v1: Born ns/a u1 v1",
		"OnAdd(initial) ns/b u2 v2: Born ns/b u2 v2",
		"OnAdd(initial) ns/c u3 v3: Born ns/c u3 v3",
		"OnAdd(initial) ns/a u1 v1",
		"OnAdd(initial) ns/b u2 v5: Changed ns/b u2 v2 to ns/b u2 v5",
		"OnAdd(initial) ns/c u9 v6: Died ns/c u3 v3, not final; Born ns/c u9 v6",
		"OnAdd(initial) ns/d u4 v7: Born ns/d u4 v7",
		"OnAdd ns/d u4 v8: Changed ns/d u4 v7 to ns/d u4 v8",
		"OnUpdate ns/c u9 v9: Changed ns/c u9 v6 to ns/c u9 v9",
	)
	plays(t, nil,
		"OnAdd ns/a u1 x: Born ns/a u1 x",
		"OnAdd ns/a u1 x: Changed ns/a u1 x to ns/a u1 x",
	)
}

func TestWithoutUIDs(t *testing.T) {
	exercise.Attempted(t)
	plays(t, nil,
		"OnAdd ns/a no-uid v1: Born ns/a no-uid v1",
		"OnAdd ns/b no-uid v2: Born ns/b no-uid v2",
		"OnUpdate ns/a no-uid v1",
		"OnUpdate ns/a no-uid v3: Changed ns/a no-uid v1 to ns/a no-uid v3",
		"OnDelete ns/b no-uid v4: Died ns/b no-uid v4, final",
		"OnDelete ns/b no-uid v4",
		"OnUpdate ns/a u1 v5: Died ns/a no-uid v3, not final; Born ns/a u1 v5",
		"OnUpdate ns/a no-uid v6: Died ns/a u1 v5, not final; Born ns/a no-uid v6",
		"OnDelete †ns/a ns/a no-uid v6: Died ns/a no-uid v6, not final",
	)
}

// Random calls about three keys, as the assignment has them.
func TestRandomScripts(t *testing.T) {
	exercise.Attempted(t)
	for seed := range uint64(1000) {
		random := rand.New(rand.NewPCG(seed, 7))
		m := model{}
		var lines []string
		for range 12 {
			lines = append(lines, m.next(random))
		}
		plays(t, nil, lines...)
	}
}

// model has by key what lives: "u1 v1".
type model map[string]string

// next is a random call with what it tells.
func (m model) next(random *rand.Rand) string {
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	key := pick("ns/a", "other/a", "a")
	uids := map[string][]string{"ns/a": {"u1", "u2", noUID}, "other/a": {"u3", "u4", noUID}, "a": {"u5", "u6", noUID}}
	obj := pick(uids[key]...) + " " + pick("v1", "v2", "v10", "x", "y")
	old, lives := m[key]
	verb := pick("OnAdd", "OnAdd(initial)", "OnUpdate", "OnUpdate", "OnUpdate", "OnDelete", "OnDelete")
	if verb == "OnUpdate" && !lives {
		verb = "OnAdd"
	}
	if lives && random.IntN(3) > 0 { // another state, or the same
		uid, _, _ := strings.Cut(old, " ")
		obj = uid + " " + pick("v1", "v2", "v10", "x", "y")
	}
	if verb != "OnDelete" {
		m[key] = obj
		return fmt.Sprintf("%s %s %s%s", verb, key, obj, seen(key, old, obj))
	}
	delete(m, key)
	what := pick(key+" "+obj, "†"+key, "†"+key+" "+key+" "+obj)
	tells := ""
	switch {
	case !lives:
	case !strings.HasPrefix(what, "†") && sameUID(old, obj):
		tells = fmt.Sprintf(": Died %s %s, final", key, obj)
	default:
		tells = fmt.Sprintf(": Died %s %s, not final", key, old)
	}
	return "OnDelete " + what + tells
}

// seen is what is told of an object where old lives, or nothing.
func seen(key, old, obj string) string {
	switch {
	case old == "":
		return fmt.Sprintf(": Born %s %s", key, obj)
	case !sameUID(old, obj):
		return fmt.Sprintf(": Died %s %s, not final; Born %s %s", key, old, key, obj)
	case old == obj && strings.Contains(obj, " v"):
		return ""
	}
	return fmt.Sprintf(": Changed %s %s to %s %s", key, old, key, obj)
}

func sameUID(one, other string) bool {
	uid, _, _ := strings.Cut(one, " ")
	return strings.HasPrefix(other, uid+" ")
}
